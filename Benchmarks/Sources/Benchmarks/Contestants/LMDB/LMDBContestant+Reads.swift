extension LMDBContestant {
    private var reader: LMDBReader { readers[0] }

    func fetchAll(_ watch: Stopwatch) throws -> Int64 {
        var users: [User] = []
        try reader.transaction {
            try reader.forEachUser { users.append(User(id: $0.integer, packed: $1)) }
        }
        watch.stop()
        return users.checksum
    }

    func readInOneClosure(_ ids: [Int64]) throws -> Int64 {
        try reader.transaction {
            var sum: Int64 = 0
            for id in ids { sum &+= try reader.user(id)?.checksum ?? 0 }
            return sum
        }
    }

    func read(_ id: Int64, as reader: Int) throws -> Int64 {
        let reader = readers[reader]
        return try reader.transaction { try reader.user(id)?.checksum ?? 0 }
    }

    func readInTask(_ id: Int64, as reader: Int) async throws -> Int64 {
        try read(id, as: reader)
    }

    func fetch(ofCompany id: Int64) throws -> Int64 {
        try reader.transaction { try reader.users(ofCompany: id) }.checksum
    }

    func fetchFirstByEmail(_ limit: Int) throws -> Int64 {
        try reader.transaction { try reader.usersByEmail(limit) }.checksum
    }

    /// Looks at every row, of which it reads the age alone.
    func countAdults() throws -> Int64 {
        var count: Int64 = 0
        try reader.transaction {
            try reader.forEachUser { if User.packedAge($1) >= 18 { count += 1 } }
        }
        return count
    }

    func count(ofCompany id: Int64) throws -> Int64 {
        Int64(try reader.transaction { try reader.count(ofCompany: id) })
    }

    // What takes a query language, an object or a second table.
    func fetchFirstByLastname(_ limit: Int) throws -> Int64 { throw NotOffered() }
    func fetchWithCompanies(_ limit: Int) throws -> Int64 { throw NotOffered() }
    func fetchThenCompanies(_ limit: Int) throws -> Int64 { throw NotOffered() }
    func holdAll(asObjects: Bool, _ probe: HeapProbe) throws { throw NotOffered() }
}
