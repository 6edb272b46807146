#if canImport(Glibc)
import Foundation
import Glibc
import SkiathosLocks
import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// What a store that is open for reading only finds out about the commits of another process.
///
/// The interval is so long that only the looks of the test are made, but where a test has writes lead to
/// looks.
@Suite(.generousTimeLimit) struct CommitWatchTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.sqlite")
    }

    @Test func `a commit of another process is reported once, and nothing is without one`()
        async throws
    {
        try await WritingProcess.run(writing: path) { writer in
            let reader = try WatchedReader(path)
            #expect(reader.look() == .nothing)
            try await writer.run(.write("a", "1"))
            #expect(reader.look() == .commits)
            #expect(reader.look() == .nothing)
            try await writer.run(.changeNothing)
            #expect(reader.look() == .nothing)
            try await writer.run(.writeMany(20))
            #expect(reader.look() == .commits)
            #expect(try reader.count == 11)
            try reader.close()
        }
    }

    @Test func `a checkpoint that truncates the WAL is not taken for a commit`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            let reader = try WatchedReader(path)
            try await writer.run(.write("a", "1"))
            #expect(reader.look() == .commits)
            // Closing truncates the WAL, which readers of other processes keep from being removed.
            try await writer.run(.reopen)
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).isEmpty)
            #expect(reader.look() == .nothing)
            try await writer.run(.write("b", "2"))
            #expect(reader.look() == .commits)
            try reader.close()
        }
    }

    /// Each commit is followed by a checkpoint, so that the WAL restarts with the next.
    @Test(arguments: [1, 2, 50])
    func `commits are found across checkpoints and restarts of the WAL`(
        _ commits: Int
    ) async throws {
        try await WritingProcess.run(writing: path, checkpointSize: 0) { writer in
            let reader = try WatchedReader(path)
            for round in 0..<20 {
                try await writer.run(.writeMany(commits))
                #expect(reader.look() == .commits, "round \(round)")
                #expect(reader.look() == .nothing, "round \(round)")
            }
            try reader.close()
        }
    }

    @Test func `the commits of a killed process are found, and those of the next one`()
        async throws
    {
        try await WritingProcess.run(writing: path) { try await $0.run(.write("a", "1")) }
        let reader = try WatchedReader(path)
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("b", "2"))
            writer.kill()
        }
        #expect(reader.look() == .commits)
        #expect(try reader.count == 2)
        try await WritingProcess.run(writing: path) { try await $0.run(.write("c", "3")) }
        #expect(reader.look() == .commits)
        #expect(try reader.count == 3)
        try reader.close()
    }

    /// The second copy of the index's header is written first; a reader that finds two different ones
    /// rebuilds them from the WAL.
    @Test func `a commit that was cut off between the copies of the index's header is found`()
        async throws
    {
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("a", "1"))
            let reader = try WatchedReader(path)
            // From the second look on, a look asks SQLite only after a change.
            #expect(reader.look() == .nothing)
            let index = open(path + "-shm", O_RDWR)
            // Closing any descriptor of a file releases all locks of the process on it.
            defer { close(index) }
            var copy = [UInt8](repeating: 0, count: 48)
            #expect(pread(index, &copy, copy.count, 0) == copy.count)
            try await writer.run(.write("b", "2"))
            #expect(pwrite(index, copy, copy.count, 0) == copy.count)
            #expect(reader.look() == .commits)
            #expect(try reader.count == 2)
            #expect(reader.look() == .nothing)
            try reader.close()
        }
    }

    @Test func `a replaced file is an error, reported once, until the file is back`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("a", "1"))
            let reader = try WatchedReader(path)
            #expect(rename(path, path + ".old") == 0)
            #expect(reader.look() == .failure(.interference))
            #expect(reader.look() == .nothing)
            try Data("another file".utf8).write(to: URL(fileURLWithPath: path))
            #expect(reader.look() == .nothing)
            #expect(rename(path + ".old", path) == 0)
            // Commits may have been missed meanwhile.
            #expect(reader.look() == .commits)
            #expect(reader.look() == .nothing)
            try reader.close()
        }
    }

    @Test(arguments: [true, false])
    func `a watch notices a replaced file though nothing is committed`(
        _ listens: Bool
    ) async throws {
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("a", "1"))
            let reader = try WatchedReader(path)
            let (watch, events) = try reader.watch(
                every: .milliseconds(1), or: listens ? WriteWatch() : nil)
            watch.check()
            #expect(rename(path, path + ".old") == 0)
            let event = await events.first { _ in true }
            guard case .failed(let error as StoreError) = event else {
                Issue.record("\(String(describing: event))")
                return
            }
            #expect(error.code == .interference)
            #expect(rename(path + ".old", path) == 0)
            watch.end()
            try reader.close()
        }
    }

    @Test func `a watch that is not told of writes reports commits at its interval`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            let reader = try WatchedReader(path)
            let (watch, events) = try reader.watch(every: .milliseconds(1), or: nil)
            watch.check()
            var iterator = events.makeAsyncIterator()
            for number in 0..<50 {
                try await writer.run(.write("a", "\(number)"))
                let event = await iterator.next()
                #expect(event?.isCommit == true)
            }
            #expect(!watch.isWALWatched)
            watch.end()
            try reader.close()
        }
    }

    @Test(.enabled(if: WriteWatch.isUsable), arguments: [1, 50])
    func
        `a watch that is told of writes reports each commit, and makes no other looks at its interval`(
            _ milliseconds: Int
        ) async throws
    {
        try await WritingProcess.run(writing: path, checkpointSize: 0) { writer in
            let reader = try WatchedReader(path)
            let (watch, events) = try reader.watch(
                every: .milliseconds(milliseconds), or: WriteWatch())
            watch.check()
            var iterator = events.makeAsyncIterator()
            for number in 0..<20 {
                // Now and then after all looks that follow on a write.
                if number % 10 == 0 { #expect(await happens { watch.isListening }) }
                try await writer.run(.write("a", "\(number)"))
                let event = await iterator.next()
                #expect(event?.isCommit == true)
            }
            #expect(await happens { watch.isListening })
            watch.end()
            try reader.close()
        }
    }

    /// As on a file system that others than this system may write.
    @Test(.enabled(if: WriteWatch.isUsable))
    func `a watch that was not told of a commit looks at its interval from then on`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            let reader = try WatchedReader(path)
            let silent = try #require(WriteWatch { _, _ in true })
            let (watch, events) = try reader.watch(every: .milliseconds(1), or: silent)
            watch.check()
            var iterator = events.makeAsyncIterator()
            #expect(await happens { watch.isListening })
            for number in 0..<20 {
                try await writer.run(.write("a", "\(number)"))
                let event = await iterator.next()
                #expect(event?.isCommit == true)
                #expect(!watch.isWALWatched)
            }
            watch.end()
            try reader.close()
        }
    }

    @Test func `a file that was replaced before the watch began is an error`() async throws {
        try await WritingProcess.run(writing: path) { try await $0.run(.write("a", "1")) }
        let reader = try WatchedReader(path, looks: false)
        for suffix in ["", "-wal", "-shm"] {
            _ = rename(path + suffix, path + ".old" + suffix)
        }
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("b", "2"))
            #expect(reader.look() == .failure(.interference))
        }
        try reader.close()
    }

    @Test func `an ended watch holds nothing and reports nothing`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            let reader = try WatchedReader(path)
            let files = try openFiles
            reader.watch.end()
            // SQLite keeps one descriptor of the main file, which it uses again: closing it would
            // release the locks of the other connections.
            #expect(try openFiles < files)
            let ended = try openFiles
            try await writer.run(.write("a", "1"))
            #expect(reader.look() == .nothing)
            for _ in 0..<10 {
                let watch = try #require(reader.store.watchCommits(every: .seconds(3600)) { _ in })
                watch.check()
                #expect(try openFiles == files)
                watch.end()
                watch.end()
                #expect(try openFiles == ended)
            }
            try reader.close()
            #expect(try openFiles == 0)
        }
    }

    @Test func `a store in memory, or one that is open for writing, sees no other process`() throws
    {
        let schema = try StoreSchema([Item.schema])
        for source in [StoreSource.inMemory, .sqlite(path)] {
            let store = try source.open(schema, StoreOptions())
            #expect(store.watchCommits(every: .seconds(1)) { _ in } == nil)
            try store.close()
        }
    }

    /// How many descriptors of this process lead to files of the store.
    private var openFiles: Int {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)")
                return target?.hasPrefix(path) == true
            }
        }
    }
}

/// A store that is open for reading only, and its watch.
private struct WatchedReader {
    /// What a look has reported.
    enum Finding: Equatable {
        case nothing, commits
        case failure(StoreError.Code)
        case several(Int)
    }

    /// What the watch has reported since the last look.
    private final class Reports: Sendable {
        private let reports = Lock<[Finding]>([])

        func note(_ event: CommitWatchEvent) {
            let finding: Finding =
                switch event {
                case .committed: .commits
                case .failed(let error): .failure((error as? StoreError)?.code ?? .backend)
                }
            reports.withLock { $0.append(finding) }
        }

        func take() -> [Finding] {
            reports.withLock { reports in
                defer { reports = [] }
                return reports
            }
        }
    }

    let store: any PersistentStore
    let watch: CommitPoll
    private let reports = Reports()

    /// - Parameter looks: Whether to look once.
    init(_ path: String, looks: Bool = true) throws {
        store = try StoreSource.sqlite(path).open(
            try StoreSchema([Item.schema]), StoreOptions(isReadOnly: true))
        watch = try Self.watch(store, every: .seconds(3600), or: nil) { [reports] in
            reports.note($0)
        }
        if looks { #expect(look() == .nothing) }
    }

    /// Another watch of the same store, and what it reports.
    func watch(
        every interval: Duration, or writes: WriteWatch?
    ) throws -> (watch: CommitPoll, events: AsyncStream<CommitWatchEvent>) {
        let (events, continuation) = AsyncStream.makeStream(of: CommitWatchEvent.self)
        let watch = try Self.watch(store, every: interval, or: writes) { continuation.yield($0) }
        return (watch, events)
    }

    private static func watch(
        _ store: any PersistentStore, every interval: Duration, or writes: WriteWatch?,
        _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) throws -> CommitPoll {
        let store = try #require(store as? SQLiteStore)
        return try #require(store.commitPoll(every: interval, or: writes, report))
    }

    func look() -> Finding {
        watch.check()
        let found = reports.take()
        return found.count > 1 ? .several(found.count) : found.first ?? .nothing
    }

    var count: Int {
        get throws {
            let reader = try #require(store.readers.first)
            return try reader.read { try $0.count(FetchRequest(entity: 0)) }
        }
    }

    func close() throws {
        watch.end()
        try store.close()
    }
}

extension CommitWatchEvent {
    fileprivate var isCommit: Bool {
        if case .committed = self { true } else { false }
    }
}

extension WriteWatch {
    /// Whether the system tells of writes to the files of tests.
    fileprivate static let isUsable =
        (try? TemporaryDirectory()).map { WriteWatch()?.watch($0.file(".")) == true } ?? false
}
#endif
