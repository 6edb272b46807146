// Asynchronous code awaits reads and writes, in every form of the two verbs.

import Skiathos

func open() async throws -> DataAccessLayer {
    var configuration = Configuration()
    configuration.readerCount = 4
    configuration.errorHandler = { failure in print(failure.operation, failure.error) }
    let list: [any Entity.Type] = [Company.self, User.self]
    _ = try await DataAccessLayer.open(.inMemory, entities: list)
    _ = try await DataAccessLayer.open(.inMemory, entities: User.self)
    return try await DataAccessLayer.open(
        .sqlite("app.sqlite"), entities: Company.self, User.self, configuration: configuration)
}

func reads(_ dal: DataAccessLayer) async throws {
    try await dal.read { print(try User.count(in: $0)) }
    let count = try await dal.read { try User.count(in: $0) }
    let users: [User] = try await dal.read { try User.all(in: $0) }
    let first = try await dal.read { context in
        let user = try User.first(in: context)
        return user?.name ?? "nobody"
    }
    async let companies = dal.read { try Company.count(in: $0) }
    print(count, users, first, try await companies)
}

func writes(_ dal: DataAccessLayer) async throws {
    try await dal.write { try User.create(in: $0) }
    try await dal.write { try User.create(in: $0).id }
    try await dal.write { try User.deleteAll(where: { $0.age > 99 }, in: $0) }
    try await dal.write { context in
        for user in try User.all(in: context) { user.age += 1 }
    }
    let id = try await dal.write { try User.create(in: $0) { $0.name = "Ada" }.id }
    try await dal.write { try User.find(id, in: $0)?.age += 1 }
    let deleted: Int = try await dal.write { try User.deleteAll(in: $0) }
    async let other = dal.write { try User.create(in: $0).id }
    print(deleted, try await other)
}

func chains(_ dal: DataAccessLayer) async throws {
    try await dal.write { try User.create(in: $0) }
        .write { try User.deleteAll(in: $0) }
        .read { print(try User.count(in: $0)) }
    let name = try await dal.write { try User.create(in: $0).id }
        .read { context, id in try User.find(id, in: context)?.name }
    try await dal.write { try User.create(in: $0).id }.write { context, id in
        try User.find(id, in: context)?.delete()
    }
    print(name ?? "nobody")
}

func tasks(_ dal: DataAccessLayer) async throws {
    Task {
        try await dal.write { try User.create(in: $0) }
    }
    try await withThrowingTaskGroup(of: User.ID.self) { group in
        for age in 1...3 {
            group.addTask {
                try await dal.write { try User.create(in: $0) { $0.age = age }.id }
            }
        }
        for try await id in group { print(id) }
    }
    dal.enqueue { try User.create(in: $0) }
}

func lifecycle(_ dal: DataAccessLayer) async throws {
    try await dal.reset()
    try await dal.reset().write { try User.create(in: $0) }
    try await dal.flush()
    print(try await dal.integrityProblems())
    try await dal.close()
}
