extension RawContestant {
    private var reader: RawReader { readers[0] }

    func fetchAll(_ watch: Stopwatch) throws -> Int64 {
        let users = try reader.transaction { try reader.all.users() }
        watch.stop()
        return users.checksum
    }

    /// There are no objects here: the nearest is to make the values.
    func fetchObjects(held: Bool, _ watch: Stopwatch) throws -> Int64 { try fetchAll(watch) }

    func readInOneClosure(_ ids: [Int64]) throws -> Int64 {
        try reader.transaction {
            var sum: Int64 = 0
            for id in ids { sum &+= try reader.user(id) }
            return sum
        }
    }

    func read(_ id: Int64, as reader: Int) throws -> Int64 {
        let reader = readers[reader]
        return try reader.transaction { try reader.user(id) }
    }

    func readInTask(_ id: Int64, as reader: Int) async throws -> Int64 {
        try read(id, as: reader)
    }

    func fetch(ofCompany id: Int64) throws -> Int64 {
        reader.byCompany.bind(1, id)
        return try reader.transaction { try reader.byCompany.users() }.checksum
    }

    func fetch(withEmail email: String) throws -> Int64 {
        reader.withEmail.bind(1, email)
        return try reader.transaction { try reader.withEmail.users() }.checksum
    }

    func fetchFirstByEmail(_ limit: Int) throws -> Int64 {
        reader.byEmail.bind(1, Int64(limit))
        return try reader.transaction { try reader.byEmail.users() }.checksum
    }

    func fetchFirstByLastname(_ limit: Int) throws -> Int64 {
        reader.byLastname.bind(1, Int64(limit))
        return try reader.transaction { try reader.byLastname.users() }.checksum
    }

    func countAdults() throws -> Int64 {
        try reader.transaction { try reader.number(reader.adultCount) }
    }

    func count(ofCompany id: Int64) throws -> Int64 {
        reader.companyCount.bind(1, id)
        return try reader.transaction { try reader.number(reader.companyCount) }
    }

    func fetchWithCompanies(_ limit: Int) throws -> Int64 {
        let joined = reader.joined
        joined.bind(1, Int64(limit))
        var rows: [(user: User, company: String)] = []
        try reader.transaction {
            while try joined.next() { rows.append((joined.user(), joined.text(9))) }
        }
        return rows.reduce(0) { $0 &+ $1.user.checksum &+ Int64($1.company.utf8.count) }
    }

    /// A loop is compared with the join, too.
    func fetchThenCompanies(_ limit: Int) throws -> Int64 { try fetchWithCompanies(limit) }

    func holdAll(asObjects: Bool, _ probe: HeapProbe) throws {
        guard !asObjects else { throw NotOffered() }
        probe.begin()
        let users = try reader.all.users()
        probe.look(users.count)
        withExtendedLifetime(users) {}
    }
}
