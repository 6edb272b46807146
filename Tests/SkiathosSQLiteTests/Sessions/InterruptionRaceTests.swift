import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// An interruption that meets accesses under way is over when its call has returned, although statements stay
/// open from one access to the next.
@Suite struct InterruptionRaceTests {
    private let directory: TemporaryDirectory
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try directory.open([TestEntities.company], StoreOptions(readerCount: 1))
    }

    /// Interrupts a connection while others use it, in many rounds.
    ///
    /// - Parameters:
    ///   - use: Uses the connection; an interruption may fail it.
    ///   - check: Uses it after that, which nothing may fail.
    private func interrupting(
        _ connection: any StoreReader, _ use: @escaping @Sendable (_ round: Int64) throws -> Void,
        _ check: () throws -> Void
    ) async throws {
        for round in Int64(0)..<200 {
            let meeting = Meeting(of: 2)
            async let interruption: Void = onThread {
                meeting.come()
                connection.interrupt()
            }
            try await onThread {
                meeting.come()
                do { try use(round) } catch let error as StoreError where error.code == .interrupted
                {}
            }
            try await interruption
            #expect(throws: Never.self) { try check() }
        }
    }

    @Test func `an interruption during commits leaves alone the query that follows`() async throws {
        let writer = store.writer
        try await interrupting(writer) { round in
            // As many as it takes for the call to meet the last one in some rounds.
            for number in 0...(round % 4) {
                try writer.withSession { session in
                    do {
                        let id = round * 4 + number
                        let row = Rows([[.integer(id), .text("a\(id)")]])
                        try session.begin()
                        try session.apply([.insert(entity: 0, row)])
                        try session.commit()
                    } catch {
                        try session.rollback()
                        throw error
                    }
                }
            }
        } _: {
            _ = try writer.withSession { try $0.count(FetchRequest(entity: 0)) }
        }
        try store.close()
    }

    @Test func `an interruption during look-ups leaves alone those of the next read`() async throws
    {
        try store.insert(Company.self, [1, "a"])
        let reader = store.readers[0]
        @Sendable func find() throws {
            var isFound = false
            // The statement stays open only unless it is asked for another row.
            try reader.read { session throws in
                try session.fetch(entity: 0, id: 1) { rows in isFound = rows.next() }
            }
            #expect(isFound)
        }
        try await interrupting(reader) { round in
            for _ in 0...(round % 32) { try find() }
        } _: {
            try find()
        }
        try store.close()
    }
}
