import GRDB
import GRDBSQLite
import Skiathos
import SkiathosGRDB
import SkiathosLocks
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// Interrupts accesses at every point at which SQLite calls back: while it prepares a statement and
/// while it runs one.
@Suite(.generousTimeLimit) struct InterruptionTests {
    @Test(arguments: Place.allCases, Work.writes)
    func `a write that is cancelled at any point is a cancellation and changes nothing`(
        _ place: Place, _ work: Work<WriteContext>
    ) async throws {
        try await sweep(place) { dal, interrupter in
            let task = Task {
                _ = try await dal.write { (context: WriteContext) -> Void in
                    try context.sqlite { interrupter.install(on: $0) }
                    try work.run(context)
                }
            }
            return await task.result
        } interruption: { _ in
            withUnsafeCurrentTask { $0?.cancel() }
        } isExpected: {
            $0 is CancellationError
        }
    }

    @Test(arguments: Place.allCases, Work.reads)
    func `a read that is cancelled at any point is a cancellation`(
        _ place: Place, _ work: Work<ReadContext>
    ) async throws {
        try await sweep(place) { dal, interrupter in
            let task = Task {
                _ = try await dal.read { (context: ReadContext) -> Void in
                    try context.sqlite { interrupter.install(on: $0) }
                    try work.run(context)
                }
            }
            return await task.result
        } interruption: { _ in
            withUnsafeCurrentTask { $0?.cancel() }
        } isExpected: {
            $0 is CancellationError
        }
    }

    @Test(arguments: Place.allCases, Work.writes)
    func
        `a write whose shutdown's deadline passes at any point fails with that error and changes nothing`(
            _ place: Place, _ work: Work<WriteContext>
        ) async throws
    {
        try await sweep(place) { dal, interrupter in
            Result {
                _ = try dal.write { (context: WriteContext) -> Void in
                    try context.sqlite { interrupter.install(on: $0) }
                    try work.run(context)
                }
            }
        } interruption: {
            // As a shutdown does when its deadline has passed.
            $0.coordinator.rootWriter.stop.set()
            $0.coordinator.store.writer.interrupt()
        } isExpected: {
            ($0 as? DataAccessError)?.code == .closed
        }
    }

    /// Runs an access again and again, each time interrupted one point later, until it ends before
    /// the point is reached.
    private func sweep(
        _ place: Place,
        _ access:
            @escaping @Sendable (DataAccessLayer, Interrupter) async -> Result<Void, any Error>,
        interruption: @escaping @Sendable (DataAccessLayer) -> Void,
        isExpected: @escaping @Sendable (any Error) -> Bool
    ) async throws {
        var point = 0
        var hasReached = true
        while hasReached {
            // Under a sanitizer the first five, and one of five of the others.
            point += point < 5 ? 1 : Rounds.step(1)
            let interrupter = Interrupter(at: point)
            try await withNotes(place) { [point] dal in
                try await dal.write { try Work<WriteContext>.seed($0) }
                interrupter.arm { interruption(dal) }
                let result = await access(dal, interrupter)
                interrupter.disarm()
                guard case .failure(let error) = result else { return }
                #expect(interrupter.hasReached)
                #expect(isExpected(error), "at point \(point): \(error)")
                guard !dal.coordinator.rootWriter.stop.isSet else { return }
                let count: Int = try await dal.read { try Note.count(in: $0) }
                #expect(count == Work<WriteContext>.seeded, "at point \(point)")
            }
            hasReached = interrupter.hasReached
        }
        #expect(point > 3, "The sweep has met too few points to say anything.")
    }
}

/// What an access does, with a name for the reports.
struct Work<Context>: Sendable, CustomTestStringConvertible {
    let name: String
    let run: @Sendable (Context) throws -> Void
    var testDescription: String { name }
}

extension Work<WriteContext> {
    static let seeded = 20

    static func seed(_ context: WriteContext) throws {
        for number in 0..<seeded { try Note.create(in: context) { $0.text = "\(number)" } }
    }

    static let writes = [
        Work(name: "one row") { try Note.create(in: $0) { $0.text = "new" } },
        // As many as take the way by a virtual table.
        Work(name: "many rows") { context in
            for number in 0..<100 { try Note.create(in: context) { $0.text = "new \(number)" } }
            try context.flush()
        },
        Work(name: "rows of a transaction of its own") { context in
            for number in 0..<1200 { try Note.create(in: context) { $0.text = "new \(number)" } }
        },
        Work(name: "a change by a query") { context in
            try Note.create(in: context) { $0.text = "new" }
            try Note.update(set: { [$0.text.set(to: "changed")] }, in: context)
        },
        Work(name: "changed objects") { context in
            for note in try Note.all(in: context) { note.text += "!" }
            try Note.create(in: context) { $0.text = "new" }
        },
        Work(name: "deleted objects") { context in
            for note in try Note.all(in: context).prefix(10) { try note.delete() }
            _ = try Note.count(in: context)
        },
        Work(name: "a nested scope") { context in
            try Note.create(in: context) { $0.text = "new" }
            _ = try? context.nested { inner in
                try Note.create(in: inner) { $0.text = "undone" }
                throw Undone()
            }
            _ = try Note.count(in: context)
        },
    ]

    private struct Undone: Error {}
}

extension Work<ReadContext> {
    static let reads = [
        Work(name: "one row") { _ = try Note.first(in: $0) },
        Work(name: "all rows") { _ = try Note.all(in: $0) },
        Work(name: "rows by their IDs") { context in
            let ids = try Note.all(in: context).map(\.id)
            _ = try Note.find(ids, in: context)
        },
        Work(name: "a count") { _ = try Note.count(where: { $0.text > "1" }, in: $0) },
    ]
}

/// Does something when SQLite has called back so many times; lives longer than the store.
private final class Interrupter: Sendable {
    private struct State {
        var count = 0
        var action: (@Sendable () -> Void)?
    }

    private let point: Int
    private let state = Lock(State())

    init(at point: Int) { self.point = point }

    var hasReached: Bool { state.withLock { $0.count >= point } }

    func arm(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.action = action } }

    func disarm() { state.withLock { $0.action = nil } }

    func install(on database: Database) {
        let handle = database.sqliteConnection
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            handle,
            { pointer, _, _, _, _, _ in
                Interrupter.meet(pointer)
                return SQLITE_OK
            }, pointer)
        sqlite3_progress_handler(
            handle, 500,
            { pointer in
                Interrupter.meet(pointer)
                return 0
            }, pointer)
    }

    private static func meet(_ pointer: UnsafeMutableRawPointer?) {
        guard let pointer else { return }
        let interrupter = Unmanaged<Interrupter>.fromOpaque(pointer).takeUnretainedValue()
        let action = interrupter.state.withLock { state -> (@Sendable () -> Void)? in
            guard state.action != nil else { return nil }
            state.count += 1
            return state.count == interrupter.point ? state.action : nil
        }
        action?()
    }
}
