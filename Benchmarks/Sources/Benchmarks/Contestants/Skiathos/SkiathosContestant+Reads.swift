import Skiathos

extension SkiathosContestant {
    func fetchAll(_ watch: Stopwatch) throws -> Int64 {
        let users: [User] = try dal.read { try User.all(orderedBy: { [$0.id.ascending] }, in: $0) }
        watch.stop()
        return users.checksum
    }

    func fetchObjects(held: Bool, _ watch: Stopwatch) throws -> Int64 {
        try dal.write { context in
            let first = held ? try User.all(in: context) : []
            if held { watch.start() }
            let users = try User.all(orderedBy: { [$0.id.ascending] }, in: context)
            watch.stop()
            withExtendedLifetime(first) {}
            return users.reduce(0) { $0 &+ $1.value.checksum }
        }
    }

    func readInOneClosure(_ ids: [Int64]) throws -> Int64 {
        try dal.read { context in
            var sum: Int64 = 0
            for id in ids {
                sum &+= try User.find(User.ID(rawValue: id), in: context)?.checksum ?? 0
            }
            return sum
        }
    }

    func read(_ id: Int64, as reader: Int) throws -> Int64 {
        let user: User? = try dal.read { try User.find(User.ID(rawValue: id), in: $0) }
        return user?.checksum ?? 0
    }

    func readInTask(_ id: Int64, as reader: Int) async throws -> Int64 {
        let user: User? = try await dal.read { try User.find(User.ID(rawValue: id), in: $0) }
        return user?.checksum ?? 0
    }

    func fetch(ofCompany id: Int64) throws -> Int64 {
        let id = Company.ID(rawValue: id)
        let users: [User] = try dal.read { try User.all(where: { $0.company == id }, in: $0) }
        return users.checksum
    }

    func fetch(withEmail email: String) throws -> Int64 {
        let users: [User] = try dal.read { try User.all(where: { $0.email == email }, in: $0) }
        return users.checksum
    }

    func fetchFirstByEmail(_ limit: Int) throws -> Int64 {
        let users: [User] = try dal.read {
            try User.all(orderedBy: { [$0.email.ascending] }, limit: limit, in: $0)
        }
        return users.checksum
    }

    func fetchFirstByLastname(_ limit: Int) throws -> Int64 {
        let users: [User] = try dal.read {
            try User.all(orderedBy: { [$0.lastname.ascending] }, limit: limit, in: $0)
        }
        return users.checksum
    }

    func countAdults() throws -> Int64 {
        Int64(try dal.read { try User.count(where: { $0.age >= 18 }, in: $0) })
    }

    func count(ofCompany id: Int64) throws -> Int64 {
        let id = Company.ID(rawValue: id)
        return Int64(try dal.read { try User.count(where: { $0.company == id }, in: $0) })
    }

    func holdAll(asObjects: Bool, _ probe: HeapProbe) throws {
        guard !asObjects else {
            try dal.write { context in
                probe.begin()
                let users = try User.all(in: context)
                probe.look(users.count)
                withExtendedLifetime(users) {}
            }
            return
        }
        try dal.read { context in
            probe.begin()
            let users = try User.all(in: context)
            probe.look(users.count)
            withExtendedLifetime(users) {}
        }
    }
}
