import CSupport
import Skiathos

/// The cursors of one transaction that writes, which closes them at its end.
struct LMDBWriter {
    private let lmdb: LMDB
    private let users: OpaquePointer
    private let emails: OpaquePointer
    private let companies: OpaquePointer

    init(_ store: LMDBStore, _ transaction: OpaquePointer) throws {
        lmdb = store.lmdb
        users = try store.openCursor(transaction, store.users)
        emails = try store.openCursor(transaction, store.emails)
        companies = try store.openCursor(transaction, store.companies)
    }

    /// Inserts a row and its entries in the other two databases; fails if its ID or email is there.
    func insert(_ user: User) throws {
        var id = user.id.rawValue
        try withUnsafeMutablePointer(to: &id) { id in
            let id = lmdb_value(size: MemoryLayout<Int64>.size, data: id)
            // The row is written where it stays, without a copy.
            let space = try put(
                users, id, lmdb_value(size: user.packedSize, data: nil),
                LMDB.Flag.noOverwrite | LMDB.Flag.reserve)
            guard let space = space.data else { throw BenchmarkError("LMDB: no space") }
            user.pack(at: space)
            var email = user.email
            try email.withUTF8 { utf8 in
                let start = UnsafeMutableRawPointer(mutating: utf8.baseAddress)
                let email = lmdb_value(size: utf8.count, data: start)
                _ = try put(emails, email, id, LMDB.Flag.noOverwrite)
            }
            // Those without a company are in the index, too, as in SQLite's.
            var company = user.company?.rawValue ?? 0
            try withUnsafeMutablePointer(to: &company) { company in
                let company = lmdb_value(size: MemoryLayout<Int64>.size, data: company)
                _ = try put(companies, company, id, 0)
            }
        }
    }

    /// Returns the value, which has an address now if space was reserved for it.
    private func put(
        _ cursor: OpaquePointer, _ key: lmdb_value, _ value: lmdb_value, _ flags: UInt32
    ) throws -> lmdb_value {
        var (key, value) = (key, value)
        try lmdb.check(lmdb.put(cursor, &key, &value, flags))
        return value
    }
}
