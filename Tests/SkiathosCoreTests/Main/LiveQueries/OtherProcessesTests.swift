import ReliabilityKit
import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// When a store watches for the commits of other processes, and what it does with a report.
///
/// Another data access layer of this process stands for the other process; the test reports its
/// commits.
@Suite(.generousTimeLimit) struct OtherProcessesTests {
    private let store: TemporaryStore
    private let watches = Watches()

    init() throws { store = try TemporaryStore() }

    @Test func `a store watches while something is observed, and at no other time`() async throws {
        try await withReader { _, dal in
            _ = try await dal.read { try User.count(in: $0) }
            #expect(watches.events == [])
            do {
                var counts = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
                #expect(watches.events == [])
                #expect(try await counts.next() == 0)
                #expect(watches.events == [.begun, .checked])
                var lists = dal.observe(User.order { $0.id }).differences.makeAsyncIterator()
                _ = try await lists.next()
                let feed = dal.changes(of: User.self)
                #expect(watches.events == [.begun, .checked, .checked, .checked])
                withExtendedLifetime((counts, lists, feed)) {}
            }
            #expect(watches.events == [.begun, .checked, .checked, .checked, .ended])
            let feed = dal.changes(of: User.self)
            #expect(watches.events.suffix(2) == [.begun, .checked])
            withExtendedLifetime(feed) {}
        }
        #expect(watches.events.suffix(3) == [.begun, .checked, .ended])
    }

    enum End: CaseIterable { case cancelled, closed, shutDown }

    @Test(arguments: End.allCases)
    func `a watch ends with the last observer, and before the store is closed`(
        _ end: End
    ) async throws {
        try await withReader { _, dal in
            let began = Event()
            let loop = Task {
                for try await _ in dal.observe({ try User.count(in: $0) }) { began.happen() }
            }
            await began.wait()
            switch end {
            case .cancelled:
                loop.cancel()
                try await loop.value
                #expect(watches.events == [.begun, .checked, .ended])
            case .closed: try await dal.close()
            case .shutDown:
                let report = await dal.shutDown()
                #expect(report.isComplete)
            }
            try await loop.value
        }
        #expect(watches.events == [.begun, .checked, .ended])
        #expect(watches.openAtClose == 0)
    }

    @Test func `a store that is open for writing watches nothing`() async throws {
        try await withReader { writer, _ in
            var counts = writer.observe { try User.count(in: $0) }.makeAsyncIterator()
            let first = try await counts.next()
            #expect(first == 0)
        }
        #expect(watches.events == [])
    }

    @Test func `a report wakes observers and gives feeds an incomplete changeset`() async throws {
        try await withReader { writer, dal in
            var counts = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            var feed = dal.changes(of: User.self).makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await writer.write { try User.add(in: $0) }
            watches.report(.committed)
            #expect(try await counts.next() == 1)
            #expect(try await feed.next() == .changes(EntityChanges(isComplete: false)))
            // One without a change of the result gives no value.
            watches.report(.committed)
            try await writer.write { try User.add(in: $0) }
            watches.report(.committed)
            #expect(try await counts.next() == 2)
        }
    }

    @Test(arguments: 1...3)
    func `a report during a read leads to another read`(_ racedRead: Int) async throws {
        try await withReader { writer, dal in
            let reads = Log<Void>()
            var counts = dal.observe { context in
                reads.note(())
                let count = try User.count(in: context)
                if reads.entries.count == racedRead {
                    try writer.write { _ = try User.add(in: $0) }
                    watches.report(.committed)
                }
                return count
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            for expected in 1..<racedRead {
                try await writer.write { try User.add(in: $0) }
                watches.report(.committed)
                #expect(try await counts.next() == expected)
            }
            #expect(try await counts.next() == racedRead)
        }
    }

    @Test func `a watch that cannot look is reported, and observers go on`() async throws {
        let failures = Log<BackgroundFailure>()
        try await withReader({ $0.errorHandler = { failures.note($0) } }) { writer, dal in
            var counts = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            watches.report(.failed(StoreError(.inputOutput, "The test has unplugged the disk.")))
            #expect(failures.entries.map(\.operation) == [.commitWatch])
            try await writer.write { try User.add(in: $0) }
            watches.report(.committed)
            #expect(try await counts.next() == 1)
        }
    }

    @Test(arguments: [Duration.zero, .microseconds(999), .seconds(3601), .seconds(-1)])
    func `an interval outside of its range is refused`(_ interval: Duration) async throws {
        var configuration = Configuration()
        configuration.commitWatchInterval = interval
        let error = await #expect(throws: DataAccessError.self) {
            try await DataAccessLayer.fixture(in: .inMemory, configuration: configuration)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("between 1 ms and 1 h") == true)
    }

    private func withReader(
        _ change: (inout Configuration) -> Void = { _ in },
        _ body: (_ writer: DataAccessLayer, _ reader: DataAccessLayer) async throws -> Void
    ) async throws {
        let writer = try await store.open()
        var configuration = Configuration()
        configuration.isReadOnly = true
        change(&configuration)
        let source = StoreSource.sqlite(store.path).mapped { [watches] in
            WatchedStore($0, watches)
        }
        let reader = try await DataAccessLayer.fixture(in: source, configuration: configuration)
        try await body(writer, reader)
        try await reader.close()
        try await writer.close()
    }
}

/// The watches of a store, which report what the test says.
private final class Watches: Sendable {
    enum Event { case begun, checked, ended }

    private let log = Log<Event>()
    private let reports = Log<@Sendable (CommitWatchEvent) -> Void>()
    private let closings = Log<Int>()

    var events: [Event] { log.entries }
    /// How many watches were open when the store was closed; `nil` if it was not.
    var openAtClose: Int? { closings.entries.first }

    func report(_ event: CommitWatchEvent) { reports.entries.last?(event) }

    fileprivate func begin(
        _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> any CommitWatch {
        log.note(.begun)
        reports.note(report)
        return Watch(log: log)
    }

    fileprivate func closed() {
        closings.note(events.count { $0 == .begun } - events.count { $0 == .ended })
    }

    private final class Watch: CommitWatch {
        let log: Log<Event>

        init(log: Log<Event>) { self.log = log }

        func check() { log.note(.checked) }
        func end() { log.note(.ended) }
    }
}

private final class WatchedStore: PersistentStore {
    private let base: any PersistentStore
    private let watches: Watches

    init(_ base: any PersistentStore, _ watches: Watches) {
        self.base = base
        self.watches = watches
    }

    var schema: StoreSchema { base.schema }
    var readers: [any StoreReader] { base.readers }
    var writer: any StoreWriter { base.writer }
    var isReadOnly: Bool { base.isReadOnly }

    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        try base.beginBackup(to: path, overwriting: overwriting)
    }

    func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)? {
        watches.begin(report)
    }

    func close() throws {
        watches.closed()
        try base.close()
    }
}
