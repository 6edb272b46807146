import Foundation
import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Another program has the lock to write.
@Suite(.generousTimeLimit) struct ForeignLockTests {
    /// Opens a store and gives its writer to a closure, with a connection of another program.
    private func withLock(
        _ body: (SQLiteStore, SQLiteWriter, BusyPatience, DatabaseQueue) throws -> Void
    ) throws {
        let directory = try TemporaryDirectory()
        let store = try #require(try directory.open() as? SQLiteStore)
        let writer = try #require(store.writer as? SQLiteWriter)
        let patience = try #require(try writer.access { $0.patience })
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: directory.file(), configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try body(store, writer, patience, other)
        try store.close()
        try other.close()
    }

    private func release(_ other: DatabaseQueue) throws {
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
    }

    @Test func `waits after one in vain are brief until a transaction has begun`() throws {
        try withLock { store, writer, patience, other in
            #expect(patience.limit == .seconds(5))
            patience.allow(full: .milliseconds(20), brief: .milliseconds(2))
            for _ in 0..<3 {
                _ = try storeError(.busy) { try writer.withSession { try $0.begin() } }
                #expect(patience.limit == .milliseconds(2))
            }
            try release(other)
            try writer.withSession { session in
                try session.begin()
                try session.rollback()
            }
            #expect(patience.limit == .milliseconds(20))
        }
    }

    @Test func `a wait ends when the connection is interrupted`() throws {
        try withLock { store, writer, patience, other in
            patience.allow(full: .seconds(3600), brief: .seconds(3600))
            // Interrupts once the wait has begun: earlier, SQLite would refuse to begin it.
            let interrupting = Thread {
                while patience.waits == 0 { sched_yield() }
                writer.interrupt()
            }
            interrupting.start()
            _ = try storeError(.busy) { try writer.withSession { try $0.begin() } }
            #expect(patience.limit == .seconds(3600))
            try release(other)
        }
    }

    @Test func `every wait is brief once the store is about to be closed`() throws {
        try withLock { store, writer, patience, other in
            patience.allow(full: .seconds(3600), brief: .milliseconds(1))
            writer.willClose()
            _ = try storeError(.busy) { try writer.withSession { try $0.begin() } }
            try release(other)
            try writer.withSession { session in
                try session.begin()
                try session.rollback()
            }
            #expect(patience.limit == .milliseconds(1))
        }
    }

    @Test func `closing waits briefly for a foreign lock, and syncs the WAL`() throws {
        try withLock { store, writer, patience, other in
            try release(other)
            try store.insert(User.self, user(1))
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            patience.allow(full: .seconds(3600), brief: .milliseconds(1))
            try store.close()
        }
    }
}
