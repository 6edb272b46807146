import CSupport

/// A transaction that reads and is renewed for each closure, with its cursors.
///
/// A new transaction would allocate memory for each read.
final class LMDBReader {
    // All guarded by the holder of the reader.
    private let store: LMDBStore
    private let lmdb: LMDB
    private let handle: OpaquePointer
    private let users: OpaquePointer
    private let emails: OpaquePointer
    private let companies: OpaquePointer

    init(_ store: LMDBStore) throws {
        self.store = store
        lmdb = store.lmdb
        var begun: OpaquePointer?
        try lmdb.check(lmdb.begin(store.environment, nil, LMDB.Flag.readsOnly, &begun))
        guard let handle = begun else { throw BenchmarkError("LMDB: no transaction") }
        self.handle = handle
        users = try store.openCursor(handle, store.users)
        emails = try store.openCursor(handle, store.emails)
        companies = try store.openCursor(handle, store.companies)
        lmdb.reset(handle)
    }

    /// Runs a closure in a transaction of its own.
    func transaction<R>(_ body: () throws -> R) throws -> R {
        try lmdb.check(lmdb.renew(handle))
        defer { lmdb.reset(handle) }
        return try body()
    }

    func user(_ id: Int64) throws -> User? {
        var value = lmdb_value()
        let code = withKey(id) { lmdb.get(handle, store.users, $0, &value) }
        return try lmdb.found(code) ? User(id: id, packed: value.start) : nil
    }

    /// Calls a closure with the ID and the bytes of each user.
    func forEachUser(_ body: (lmdb_value, UnsafeRawPointer) throws -> Void) throws {
        try lmdb.check(lmdb.renewCursor(handle, users))
        try forEach(users, from: LMDB.Step.first, to: LMDB.Step.next, lmdb_value()) {
            try body($0, $1.start)
            return true
        }
    }

    func users(ofCompany id: Int64) throws -> [User] {
        try lmdb.check(lmdb.renewCursor(handle, companies))
        var users: [User] = []
        var id = id
        try withUnsafeMutablePointer(to: &id) { id in
            let key = lmdb_value(size: MemoryLayout<Int64>.size, data: id)
            try forEach(companies, from: LMDB.Step.key, to: LMDB.Step.nextDuplicate, key) {
                if let user = try user($1.integer) { users.append(user) }
                return true
            }
        }
        return users
    }

    func count(ofCompany id: Int64) throws -> Int {
        try lmdb.check(lmdb.renewCursor(handle, companies))
        var value = lmdb_value()
        var count = 0
        let code = withKey(id) { lmdb.move(companies, $0, &value, LMDB.Step.key) }
        guard try lmdb.found(code) else { return 0 }
        try lmdb.check(lmdb.countDuplicates(companies, &count))
        return count
    }

    func usersByEmail(_ limit: Int) throws -> [User] {
        try lmdb.check(lmdb.renewCursor(handle, emails))
        var users: [User] = []
        try forEach(emails, from: LMDB.Step.first, to: LMDB.Step.next, lmdb_value()) {
            if let user = try user($1.integer) { users.append(user) }
            return users.count < limit
        }
        return users
    }

    func userCount() throws -> Int {
        var statistics = lmdb_statistics()
        try lmdb.check(lmdb.statistics(handle, store.users, &statistics))
        return statistics.entries
    }

    func close() {
        for cursor in [users, emails, companies] { lmdb.closeCursor(cursor) }
        lmdb.abort(handle)
    }

    /// Moves a cursor until there is nothing more, or a closure returns false.
    private func forEach(
        _ cursor: OpaquePointer, from first: UInt32, to next: UInt32, _ key: lmdb_value,
        _ body: (lmdb_value, lmdb_value) throws -> Bool
    ) throws {
        var key = key
        var value = lmdb_value()
        var isThere = try lmdb.found(lmdb.move(cursor, &key, &value, first))
        while isThere {
            guard try body(key, value) else { return }
            isThere = try lmdb.found(lmdb.move(cursor, &key, &value, next))
        }
    }

    private func withKey(_ number: Int64, _ body: (LMDB.Value) -> Int32) -> Int32 {
        var number = number
        return withUnsafeMutablePointer(to: &number) { number in
            var key = lmdb_value(size: MemoryLayout<Int64>.size, data: number)
            return body(&key)
        }
    }
}

extension lmdb_value {
    /// Where a value begins that was found.
    var start: UnsafeRawPointer {
        guard let data else { preconditionFailure("LMDB found a value without an address.") }
        return UnsafeRawPointer(data)
    }

    var integer: Int64 { start.loadUnaligned(as: Int64.self) }
}
