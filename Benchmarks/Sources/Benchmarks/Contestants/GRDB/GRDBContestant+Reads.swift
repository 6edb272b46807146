import GRDB

extension GRDBContestant {
    func fetchAll(_ watch: Stopwatch) throws -> Int64 {
        let records = try pool.read { try Record.order(Column("id")).fetchAll($0) }
        watch.stop()
        return records.checksum
    }

    func readInOneClosure(_ ids: [Int64]) throws -> Int64 {
        try pool.read { db in
            var sum: Int64 = 0
            for id in ids { sum &+= try Record.fetchOne(db, key: id)?.user.checksum ?? 0 }
            return sum
        }
    }

    func read(_ id: Int64, as reader: Int) throws -> Int64 {
        try pool.read { try Record.fetchOne($0, key: id) }?.user.checksum ?? 0
    }

    func readInTask(_ id: Int64, as reader: Int) async throws -> Int64 {
        try await pool.read { try Record.fetchOne($0, key: id) }?.user.checksum ?? 0
    }

    func fetch(ofCompany id: Int64) throws -> Int64 {
        try pool.read { try Record.filter(Column("company") == id).fetchAll($0) }.checksum
    }

    func fetchFirstByEmail(_ limit: Int) throws -> Int64 {
        try pool.read { try Record.order(Column("email")).limit(limit).fetchAll($0) }.checksum
    }

    func fetchFirstByLastname(_ limit: Int) throws -> Int64 {
        try pool.read {
            try Record.order(Column("lastname"), Column("id")).limit(limit).fetchAll($0)
        }.checksum
    }

    func countAdults() throws -> Int64 {
        Int64(try pool.read { try Record.filter(Column("age") >= 18).fetchCount($0) })
    }

    func count(ofCompany id: Int64) throws -> Int64 {
        Int64(try pool.read { try Record.filter(Column("company") == id).fetchCount($0) })
    }

    func fetchWithCompanies(_ limit: Int) throws -> Int64 {
        try pool.read { try Record.fetchJoined(limit, $0) }
    }

    /// By the key, which is faster than through the association.
    func fetchThenCompanies(_ limit: Int) throws -> Int64 {
        try pool.read { db in
            var sum: Int64 = 0
            for record in try Record.order(Column("id")).limit(limit).fetchAll(db) {
                let company = try record.companyID.flatMap {
                    try Record.Company.fetchOne(db, key: $0)
                }
                let name = company.map(Record.name) ?? ""
                sum &+= record.user.checksum &+ Int64(name.utf8.count)
            }
            return sum
        }
    }

    func holdAll(asObjects: Bool, _ probe: HeapProbe) throws {
        guard !asObjects else { throw NotOffered() }
        try pool.read { db in
            probe.begin()
            let records = try Record.order(Column("id")).fetchAll(db)
            probe.look(records.count)
            withExtendedLifetime(records) {}
        }
    }
}
