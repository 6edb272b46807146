import Skiathos

extension SkiathosContestant {
    func rowCount() throws -> Int { try dal.read { try User.count(in: $0) } }

    func deleteAll() throws { try dal.write { _ = try User.deleteAll(in: $0) } }

    func deleteUsers(above number: Int64) throws {
        let id = User.ID(rawValue: number)
        try dal.write { _ = try User.deleteAll(where: { $0.id > id }, in: $0) }
    }

    /// Each write says it itself.
    func promise(_ promise: Promise) throws {}

    func insert(_ users: [User], _ watch: Stopwatch) throws {
        try dal.write { context in
            for user in users { try User.insert(user, in: context) }
        }
    }

    func insertAlone(_ user: User, _ promise: Promise) throws {
        try dal.write(acknowledging: Acknowledgement(promise)) { context in
            _ = try User.insert(user, in: context)
        }
    }

    func insertAloneInTask(_ user: User, _ promise: Promise) async throws {
        try await dal.write(acknowledging: Acknowledgement(promise)) { context in
            _ = try User.insert(user, in: context)
        }
    }

    func settle() throws { try dal.flush(to: .committed) }

    func increaseAgeAlone(_ id: Int64) throws {
        let id = User.ID(rawValue: id)
        try dal.write { try User.find(id, in: $0)?.age += 1 }
    }

    func increaseAges(ofFirst count: Int) throws {
        let first = User.order { $0.id.ascending }.limit(count)
        try dal.write { context in
            for user in try first.all(in: context) { user.age += 1 }
        }
    }

    func increaseAges() throws {
        try dal.write { context in
            for user in try User.all(in: context) { user.age += 1 }
        }
    }

    func increaseHeldAges(_ watch: Stopwatch) throws {
        try dal.write { context in
            let users = try User.all(in: context)
            watch.start()
            for user in users { user.age += 1 }
        }
    }

    func deleteByPredicate() throws {
        try dal.write { _ = try User.deleteAll(where: { $0.age >= 0 }, in: $0) }
    }

    func deleteOneByOne(_ watch: Stopwatch) throws {
        try dal.write { context in
            let users = try User.all(in: context)
            watch.start()
            for user in users { try user.delete() }
        }
    }
}

extension Acknowledgement {
    fileprivate init(_ promise: Promise) {
        switch promise {
        case .visible: self = .merged
        case .committed: self = .committed
        case .durable: self = .durable
        }
    }
}
