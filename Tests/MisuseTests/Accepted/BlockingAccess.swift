// Synchronous code reads and writes by blocking, in every form of the two verbs.

import Skiathos

func open() throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: Company.self, User.self)
}

func open(_ entities: [any Entity.Type]) throws -> [DataAccessLayer] {
    [
        try DataAccessLayer(.inMemory, entities: User.self),
        try DataAccessLayer(.inMemory, entities: entities),
        try DataAccessLayer(.inMemory, entities: [User.self], configuration: Configuration()),
        try DataAccessLayer(.inMemory, entities: []),
    ]
}

func reads(_ dal: DataAccessLayer) throws {
    try dal.read { print(try User.count(in: $0)) }
    try dal.read { _ in }
    let count = try dal.read { try User.count(in: $0) }
    let users: [User] = try dal.read { try User.all(in: $0) }
    let inferred = try dal.read { try User.all(in: $0) }
    let several = try dal.read { context in
        let first = try User.first(in: context)
        return (first, try Company.count(in: context))
    }
    print(count + users.count + inferred.count + several.1)
}

func writes(_ dal: DataAccessLayer) throws {
    try dal.write { _ in }
    try dal.write { try User.create(in: $0) }
    try dal.write { try User.create(in: $0) { $0.name = "Ada" } }
    try dal.write { try User.create(in: $0).id }
    try dal.write { try User.deleteAll(where: { $0.age > 99 }, in: $0) }
    try dal.write { context in
        for user in try User.all(in: context) { user.age += 1 }
    }
    let id = try dal.write { try User.create(in: $0).id }
    let typed: User.ID = try dal.write { try User.create(in: $0).id }
    let deleted = try dal.write { try User.deleteAll(in: $0) }
    let ids = try dal.write { context in
        let ada = try User.create(in: context)
        let charles = try User.create(in: context)
        return [ada.id, charles.id]
    }
    print(id == typed, deleted, ids)
}

func chains(_ dal: DataAccessLayer) throws {
    try dal.write { try User.create(in: $0) { $0.name = "John" } }
        .write { try User.deleteAll(where: { $0.age > 99 }, in: $0) }
        .read { print(try User.count(in: $0)) }
    let name = try dal.write { try User.create(in: $0) { $0.name = "Ada" }.id }
        .write { context, id in
            try User.find(id, in: context)?.age = 36
            return id
        }
        .read { context, id in try User.find(id, in: context)?.greeting }
    try dal.write { try User.create(in: $0).id }.write { context, id in
        try User.find(id, in: context)?.delete()
    }
    let step: Chained<Int> = try dal.write { try User.deleteAll(in: $0) }
    print(name ?? "nobody", step.value)
}

func background(_ dal: DataAccessLayer) {
    dal.enqueue { try User.create(in: $0) }
    dal.enqueue { context in
        try User.create(in: context) { $0.name = "Ada" }
    }
    dal.write({ try User.deleteAll(in: $0) }, completion: { result in print(result) })
    dal.write({ try User.create(in: $0).id }) { result in
        switch result {
        case .success(let id): print(id)
        case .failure(let error): print(error)
        }
    }
    dal.write({ _ in }, completion: { _ in })
}

func lifecycle(_ dal: DataAccessLayer) throws {
    try dal.reset()
    try dal.reset().write { try User.create(in: $0) }
    try dal.flush()
    print(try dal.integrityProblems())
    try dal.close()
}
