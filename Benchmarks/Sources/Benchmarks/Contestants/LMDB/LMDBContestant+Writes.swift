extension LMDBContestant {
    func rowCount() throws -> Int { try readers[0].transaction { try readers[0].userCount() } }

    func deleteAll() throws {
        try store.write { transaction in
            for database in [store.users, store.emails, store.companies] {
                try store.lmdb.check(store.lmdb.empty(transaction, database, 0))
            }
        }
    }

    /// Turns syncs on or off: without, a commit is in the system's memory, and so survives the end
    /// of the process.
    ///
    /// The loss of power may then damage the file, which SQLite's NORMAL does not allow.
    func promise(_ promise: Promise) throws {
        // What was written before is not to be paid for by the first durable write.
        if promise == .durable { try sync() }
        let isOn: Int32 = promise == .durable ? 0 : 1
        try store.lmdb.check(store.lmdb.setFlags(store.environment, LMDB.Flag.noSync, isOn))
    }

    func sync() throws { try store.lmdb.check(store.lmdb.sync(store.environment, 1)) }

    func insert(_ users: [User], _ watch: Stopwatch) throws {
        try store.write { transaction in
            let writer = try LMDBWriter(store, transaction)
            for user in users { try writer.insert(user) }
        }
    }

    func insertAlone(_ user: User, _ promise: Promise) throws {
        try store.write { try LMDBWriter(store, $0).insert(user) }
    }

    func insertAloneInTask(_ user: User, _ promise: Promise) async throws {
        try insertAlone(user, promise)
    }

    func deleteUsers(above number: Int64) throws { throw NotOffered() }
    func increaseAges() throws { throw NotOffered() }
    func deleteByPredicate() throws { throw NotOffered() }
    func deleteOneByOne(_ watch: Stopwatch) throws { throw NotOffered() }
}
