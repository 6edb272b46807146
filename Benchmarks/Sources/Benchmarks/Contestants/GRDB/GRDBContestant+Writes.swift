import GRDB

extension GRDBContestant {
    func rowCount() throws -> Int { try pool.read { try Record.fetchCount($0) } }

    func deleteAll() throws { _ = try pool.write { try Record.deleteAll($0) } }

    func deleteUsers(above number: Int64) throws {
        _ = try pool.write { try Record.filter(Column("id") > number).deleteAll($0) }
    }

    func promise(_ promise: Promise) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: promise.pragma) }
    }

    func insert(_ users: [User], _ watch: Stopwatch) throws {
        let records = users.map { Record($0) }
        watch.start()
        try pool.write { db in
            for record in records { try record.insert(db) }
        }
    }

    func insertAlone(_ user: User, _ promise: Promise) throws {
        try pool.write { try Record(user).insert($0) }
    }

    func insertAloneInTask(_ user: User, _ promise: Promise) async throws {
        try await pool.write { try Record(user).insert($0) }
    }

    /// Naming the column that has changed is faster than letting GRDB find it.
    func increaseAges() throws {
        try pool.write { db in
            for var record in try Record.fetchAll(db) {
                record.age += 1
                try record.update(db, columns: ["age"])
            }
        }
    }

    func deleteByPredicate() throws {
        _ = try pool.write { try Record.filter(Column("age") >= 0).deleteAll($0) }
    }

    func deleteOneByOne(_ watch: Stopwatch) throws {
        try pool.write { db in
            let records = try Record.fetchAll(db)
            watch.start()
            for record in records { try record.delete(db) }
        }
    }
}
