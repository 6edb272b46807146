import GRDB
import GRDBSQLite
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// The read that the writer keeps between two transactions saves calls of the system, and changes nothing else.
@Suite struct KeptReadTests {
    private let directory: TemporaryDirectory
    private let alarm = Alarm()
    private let store: SQLiteStore
    private let writer: SQLiteWriter

    init() throws {
        directory = try TemporaryDirectory()
        store = try alarm.open(directory)
        writer = try #require(store.writer as? SQLiteWriter)
    }

    private var isKept: Bool {
        get throws {
            var isKept = false
            try writer.withSession { session in
                isKept = try #require(session as? SQLiteSession).keptRead.isOpen
            }
            return isKept
        }
    }

    /// How many rows the writer's connection sees outside of any transaction.
    private func countInWriter() throws -> Int {
        let request = FetchRequest(entity: store.position(Company.self))
        var count = 0
        try writer.withSession { count = try $0.count(request) }
        return count
    }

    /// Opens a connection of another program, which waits for no lock.
    private func other() throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .immediateError
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: directory.file(), configuration: configuration)
    }

    @Test func `a small transaction locks and unlocks the right to write, and nothing else`() throws
    {
        try store.insert(Company.self, [1, "a"])
        let handle = try writer.access { $0.handle }
        try store.insert(Company.self, [2, "b"])
        let calls = try LockCalls(of: handle).counting {
            try store.insert(Company.self, [3, "c"])
        }
        #expect(calls == 2)
        try store.close()
    }

    @Test func `a checkpoint copies the whole WAL, and the next commit restarts it`() throws {
        for id in 1...20 { try store.insert(Company.self, [.integer(Int64(id)), .text("a\(id)")]) }
        #expect(try isKept)
        let size = try directory.bytes("store.sqlite-wal").count
        try writer.withSession { try $0.checkpoint() }
        #expect(try !isKept)
        for id in 21...40 {
            try store.insert(Company.self, [.integer(Int64(id)), .text("a\(id)")])
        }
        #expect(try directory.bytes("store.sqlite-wal").count == size)
        try store.close()
    }

    @Test func `another program can restart the WAL once nothing was written for a while`() throws {
        try store.insert(Company.self, [1, "a"])
        #expect(try directory.isWALHeld())
        #expect(alarm.count == 1)
        alarm.ring()
        // There was a commit since the time began.
        #expect(try directory.isWALHeld())
        #expect(alarm.count == 1)
        alarm.ring()
        #expect(try !directory.isWALHeld())
        #expect(alarm.count == 0)
        try store.insert(Company.self, [2, "b"])
        #expect(alarm.count == 1)
        try store.close()
    }

    @Test func `an interruption that comes between two accesses disturbs neither`() throws {
        for id in 1...5 {
            try store.insert(Company.self, [.integer(Int64(id)), .text("a\(id)")])
            #expect(try isKept)
            writer.interrupt()
            // Outside of any transaction.
            #expect(try countInWriter() == id)
            #expect(try !isKept)
        }
        try store.insert(Company.self, [6, "a6"])
        writer.interrupt()
        try store.insert(Company.self, [7, "a7"])
        try store.close()
    }

    @Test func `a commit that was interrupted can be repeated`() throws {
        try writer.withSession { session in
            let session = try #require(session as? SQLiteSession)
            try session.begin()
            try session.apply([.insert(entity: 0, Rows([[1, "a"]]))])
            // As if it came between the beginning of the read and the commit.
            session.keepRead(try #require(session.version))
            writer.interrupt()
            _ = try storeError(.interrupted) { try session.commit() }
            #expect(session.isInTransaction)
            try session.commit()
        }
        #expect(try store.all(Company.self) == [[1, "a"]])
        try store.close()
    }

    @Test func `a commit that finds the disk full harms neither reads nor writes after it`() throws
    {
        let handle = try writer.access { $0.handle }
        try store.insert(Company.self, [1, "a"])
        for _ in 1...3 {
            try writer.withSession { session in
                try session.begin()
                try session.apply([.insert(entity: 0, Rows([[2, "b"]]))])
                _ = try storeError(.diskFull) {
                    try WALWrites(of: handle).failing { try session.commit() }
                }
                // SQLite has rolled the transaction back.
                #expect(!session.isInTransaction)
            }
            #expect(try countInWriter() == 1)
        }
        try store.insert(Company.self, [2, "b"])
        #expect(try store.all(Company.self) == [[1, "a"], [2, "b"]])
        try store.close()
    }

    @Test func `a transaction waits for the lock of another program`() throws {
        let patience = try #require(try writer.access { $0.patience })
        patience.allow(full: .milliseconds(20), brief: .milliseconds(1))
        try store.insert(Company.self, [1, "a"])
        let other = try other()
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let waits = patience.waits
        _ = try storeError(.busy) { try store.insert(Company.self, [2, "b"]) }
        #expect(patience.waits == waits + 1)
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try store.insert(Company.self, [2, "b"])
        try other.close()
        try store.close()
    }

    @Test func `a commit of another program is noticed by the next transaction`() throws {
        try store.insert(Company.self, [1, "a"])
        #expect(try isKept)
        let other = try other()
        try other.inDatabase { try $0.execute(sql: "UPDATE company SET name = 'b'") }
        try other.close()
        _ = try storeError(.interference) { try store.insert(Company.self, [2, "c"]) }
        #expect(try store.all(Company.self) == [[1, "b"]])
        _ = try storeError(.interference) { try store.close() }
    }

    @Test func `statements that need all others to have ended are executed`() throws {
        try store.insert(Company.self, [1, "a"])
        try writer.access { session in
            try session.natively { try $0.execute(sql: "VACUUM") }
        }
        #expect(try store.all(Company.self) == [[1, "a"]])
        try store.close()
    }

    /// What may happen between two transactions.
    private enum Event: CaseIterable {
        case insertion, rollback, refusal, query, interruption, checkpoint, foreignCheckpoint
        case foreignRead, foreignLock, time, native, fullDisk, sync
    }

    @Test(.seeded, arguments: 0..<8)
    func `whatever happens between transactions, each has the rows of the one before`(
        _ round: Int
    ) throws {
        var random = SeededNumbers(seed: Seed.current &+ UInt64(round))
        let patience = try #require(try writer.access { $0.patience })
        patience.allow(full: .milliseconds(1), brief: .milliseconds(1))
        let handle = try writer.access { $0.handle }
        let other = try other()
        var isForeignReadOpen = false
        var names: [Int64: String] = [:]
        func rows() -> [[StoreValue]] {
            names.sorted { $0.key < $1.key }.map { [.integer($0), .text($1)] }
        }
        func insert(_ id: Int64, _ name: String) throws {
            try store.insert(Company.self, [.integer(id), .text(name)])
        }
        for step in 1...200 {
            let id = Int64(step)
            let event = try #require(Event.allCases.randomElement(using: &random))
            switch event {
            case .insertion:
                try insert(id, "a\(id)")
                names[id] = "a\(id)"
            case .rollback:
                try writer.withSession { session in
                    try session.begin()
                    try session.apply([.insert(entity: 0, Rows([[.integer(id), "gone"]]))])
                    try session.rollback()
                }
            case .refusal:
                guard let name = names.values.sorted().randomElement(using: &random) else {
                    continue
                }
                _ = try storeError(.uniqueViolation) { try insert(id, name) }
            case .query: #expect(try countInWriter() == names.count)
            case .interruption: writer.interrupt()
            case .checkpoint: try writer.withSession { try $0.checkpoint() }
            case .foreignCheckpoint:
                try other.inDatabase { database in
                    guard !database.isInsideTransaction else { return }
                    // Other kinds of checkpoints write to the WAL, which is an interference.
                    _ = try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
                }
            case .foreignRead:
                try other.inDatabase { database in
                    try database.execute(sql: isForeignReadOpen ? "COMMIT" : "BEGIN")
                    if !isForeignReadOpen {
                        _ = try Row.fetchAll(database, sql: "SELECT * FROM company")
                    }
                }
                isForeignReadOpen.toggle()
            case .foreignLock:
                guard !isForeignReadOpen else { continue }
                try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
                _ = try storeError(.busy) { try insert(id, "b\(id)") }
                try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
            case .time: alarm.ring()
            case .sync: try writer.sync()
            case .fullDisk:
                _ = try storeError(.diskFull) {
                    try WALWrites(of: handle).failing { try insert(id, "f\(id)") }
                }
            case .native:
                try store.transaction {
                    try $0.execute("INSERT INTO company (id, name) VALUES (\(id), 'n\(id)')")
                }
                names[id] = "n\(id)"
            }
            #expect(try store.all(Company.self) == rows(), "\(step): \(event)")
        }
        try other.close()
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
        let again = try directory.open()
        #expect(try again.all(Company.self) == rows())
        try again.close()
    }
}

/// Counts the calls with which a connection locks and unlocks parts of the shared memory of its WAL.
private struct LockCalls {
    /// Guarded by `turn`, but for the closure that SQLite calls meanwhile.
    private static let count = Atomic(0)
    private static let real = Atomic<UInt>(0)
    private static let turn = Lock(())

    private let file: UnsafeMutablePointer<sqlite3_file>

    init(of handle: OpaquePointer) throws {
        file = try sqliteFile(of: handle, SQLITE_FCNTL_FILE_POINTER)
    }

    /// Runs a closure, and returns how many calls there were.
    func counting(_ body: () throws -> Void) throws -> Int {
        try Self.turn.withLock { _ in
            let methods = try #require(file.pointee.pMethods)
            var counted = methods.pointee
            Self.real.store(UInt(bitPattern: methods), ordering: .sequentiallyConsistent)
            Self.count.store(0, ordering: .sequentiallyConsistent)
            counted.xShmLock = { file, offset, count, flags in
                LockCalls.count.wrappingAdd(1, ordering: .sequentiallyConsistent)
                let real = LockCalls.real.load(ordering: .sequentiallyConsistent)
                let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: real)
                return methods?.pointee.xShmLock(file, offset, count, flags) ?? SQLITE_INTERNAL
            }
            return try withUnsafePointer(to: &counted) { counted in
                file.pointee.pMethods = counted
                defer { file.pointee.pMethods = methods }
                try body()
                return Self.count.load(ordering: .sequentiallyConsistent)
            }
        }
    }
}

/// Makes the writes of a connection to its WAL fail.
private struct WALWrites {
    private let methods: UnsafeMutablePointer<sqlite3_io_methods>

    init(of handle: OpaquePointer) throws {
        let file = try sqliteFile(of: handle, SQLITE_FCNTL_JOURNAL_POINTER)
        // The table is that of the store for this file alone.
        methods = UnsafeMutablePointer(mutating: try #require(file.pointee.pMethods))
    }

    /// Runs a closure in which no write succeeds.
    func failing(_ body: () throws -> Void) throws {
        let write = methods.pointee.xWrite
        methods.pointee.xWrite = { _, _, _, _ in SQLITE_FULL }
        defer { methods.pointee.xWrite = write }
        try body()
    }
}

/// SQLite's object of a file of a connection.
private func sqliteFile(
    of handle: OpaquePointer, _ operation: Int32
) throws -> UnsafeMutablePointer<sqlite3_file> {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
        sqlite3_file_control(handle, "main", operation, $0)
    }
    #expect(code == SQLITE_OK)
    return try #require(file)
}
