// A call whose result is not used may stand in any closure that gives nothing.

import Skiathos

func deleteAll(_ dal: DataAccessLayer) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await dal.write { try User.deleteAll(in: $0) } }
        group.addTask { try await dal.write { try User.create(in: $0) } }
        try await group.waitForAll()
    }
}

func retrying(_ body: @Sendable () async throws -> Void) async throws { try await body() }

func retry(_ dal: DataAccessLayer) async throws {
    try await retrying { try await dal.write { try User.deleteAll(in: $0) } }
    let steps: [@Sendable () async throws -> Void] = [
        { try await dal.write { try User.deleteAll(in: $0) } },
        { try await dal.write { try User.create(in: $0) }.write { try User.deleteAll(in: $0) } },
        { try await dal.read { print(try User.count(in: $0)) } },
    ]
    for step in steps { try await retrying(step) }
}
