// A data access layer and the values of its reads can be kept and used from anywhere.

import Skiathos

@MainActor final class Model {
    private let dal: DataAccessLayer
    private(set) var users: [User] = []
    private var youngest = 18

    init(_ dal: DataAccessLayer) { self.dal = dal }

    func load() async throws {
        users = try await dal.read { [youngest] in
            try User.all(where: { $0.age >= youngest }, in: $0)
        }
    }

    func rename(_ user: User, to name: String) async throws {
        try await dal.write { try user.managed(in: $0).name = name }
        try await load()
    }

    func blocking() throws {
        let age = youngest
        users = try dal.read { try User.all(where: { $0.age >= age }, in: $0) }
    }
}

actor Importer {
    private let dal: DataAccessLayer
    private var known: Set<User.ID> = []

    init(_ dal: DataAccessLayer) { self.dal = dal }

    func add(_ names: [String]) async throws {
        let ids = try await dal.write { context in
            try names.map { name in try User.create(in: context) { $0.name = name }.id }
        }
        known.formUnion(ids)
    }
}

struct Service: Sendable {
    var dal: DataAccessLayer
    var latest: User?

    nonisolated func count() async throws -> Int { try await dal.read { try User.count(in: $0) } }
}

func stream(_ dal: DataAccessLayer, _ continuation: AsyncStream<User>.Continuation) async throws {
    for user in try await dal.read({ try User.all(in: $0) }) { continuation.yield(user) }
    try await dal.write { context in
        for user in try User.all(in: context) { continuation.yield(user.value) }
    }
}
