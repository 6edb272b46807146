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

/// Observers of a store that is open for reading only, beside the process that writes it.
@Suite(.generousTimeLimit) struct OtherProcessTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.file("store.sqlite")
    }

    @Test func `observers of every form get what another process commits`() async throws {
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("a", "1"))
            let dal = try await open()
            let a = Item.ID(rawValue: "a")
            var lists = dal.observe(Item.order { $0.id }).makeAsyncIterator()
            var counts = dal.observe { try Item.count(in: $0) }.makeAsyncIterator()
            var rows = dal.observe(a).makeAsyncIterator()
            var existing = dal.observe(a).untilDeleted().makeAsyncIterator()
            var groups = dal.observe(Item.where { $0.sequence > 1 }, Item.where { $0.sequence < 2 })
                .makeAsyncIterator()
            var differences = dal.observe(Item.order { $0.id }).differences.makeAsyncIterator()
            #expect(try await lists.next()?.map(\.text) == ["1"])
            #expect(try await counts.next() == 1)
            #expect(try await rows.next()??.text == "1")
            #expect(try await existing.next()?.text == "1")
            #expect(try await groups.next().map { [$0.count, $1.count] } == [0, 1])
            #expect(try await differences.next()?.inserted.count == 1)
            try await writer.run(.write("b", "2"))
            #expect(try await lists.next()?.map(\.text) == ["1", "2"])
            #expect(try await counts.next() == 2)
            #expect(try await groups.next().map { [$0.count, $1.count] } == [0, 2])
            #expect(try await differences.next()?.inserted.map(\.element.text) == ["2"])
            try await writer.run(.write("a", "3"))
            #expect(try await lists.next()?.map(\.text) == ["3", "2"])
            #expect(try await rows.next()??.text == "3")
            #expect(try await existing.next()?.text == "3")
            #expect(try await groups.next().map { [$0.count, $1.count] } == [1, 1])
            #expect(try await differences.next()?.updated.map(\.element.text) == ["3"])
            try await writer.run(.delete("a"))
            #expect(try await existing.next() == nil)
            #expect(try await rows.next() == .some(nil))
            #expect(try await differences.next()?.removed.map(\.id) == [a])
            try await dal.close()
            #expect(try await rows.next() == nil)
        }
    }

    @Test func `a feed has an incomplete changeset for the commits of another process`()
        async throws
    {
        try await WritingProcess.run(writing: path) { writer in
            let dal = try await open()
            try await writer.run(.write("a", "1"))
            var feed = dal.changes(of: Item.self).makeAsyncIterator()
            try await writer.run(.write("b", "2"))
            guard case .changes(let changes) = try await feed.next() else {
                Issue.record("The feed has ended, or missed changes.")
                return
            }
            #expect(!changes.isComplete)
            #expect(changes == EntityChanges(isComplete: false))
            let names: [String] = try await dal.read { try Item.all(in: $0).map(\.id.rawValue) }
            #expect(names.sorted() == ["a", "b"])
            try await dal.close()
            // The commit before the feed is none of it.
            #expect(try await feed.next() == nil)
        }
    }

    /// With an interval of an hour, only the looks of the calls themselves are made.
    @Test func `the first value has all commits before the call, also where others share it`()
        async throws
    {
        try await WritingProcess.run(writing: path) { writer in
            let dal = try await open(every: .seconds(3600))
            var first = dal.observe(Item.order { $0.id }).makeAsyncIterator()
            #expect(try await first.next()?.count == 0)
            for count in 1...5 {
                try await writer.run(.write("\(count)", "x"))
                var next = dal.observe(Item.order { $0.id }).makeAsyncIterator()
                #expect(try await next.next()?.count == count)
                #expect(try await first.next()?.count == count)
            }
            try await dal.close()
        }
    }

    @Test(arguments: 1...4)
    func `a commit of another process during a read leads to another value`(
        _ racedRead: Int
    ) async throws {
        try await WritingProcess.run(writing: path) { writer in
            let dal = try await open()
            let reads = Reads()
            var counts = dal.observe { context in
                let number = try Item.count(in: context)
                if reads.next() == racedRead {
                    try writer.runBlocking(.write("raced", "x"))
                }
                return number
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            for expected in 1..<racedRead {
                try await writer.run(.write("\(expected)", "x"))
                #expect(try await counts.next() == expected)
            }
            #expect(try await counts.next() == racedRead)
            try await dal.close()
        }
    }

    @Test func `no commit is missed, however it falls between the looks`() async throws {
        try await WritingProcess.run(writing: path, checkpointSize: 0) { writer in
            let dal = try await open()
            var texts = dal.observe { try Item.all(in: $0).map(\.text) }.makeAsyncIterator()
            #expect(try await texts.next() == [])
            for number in 1...300 {
                try await writer.run(.write("a", "\(number)"))
                #expect(try await texts.next() == ["\(number)"])
            }
            try await dal.close()
        }
    }

    @Test func `observers go on when the writing process was killed and another follows`()
        async throws
    {
        try await WritingProcess.run(writing: path) { try await $0.run(.write("a", "1")) }
        let dal = try await open()
        var counts = dal.observe { try Item.count(in: $0) }.makeAsyncIterator()
        #expect(try await counts.next() == 1)
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("b", "2"))
            writer.kill()
        }
        #expect(try await counts.next() == 2)
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("c", "3"))
            #expect(try await counts.next() == 3)
        }
        try await dal.close()
    }

    @Test func `a replaced file is reported to the error handler, once`() async throws {
        let failures = Failures()
        try await WritingProcess.run(writing: path) { writer in
            try await writer.run(.write("a", "1"))
            let dal = try await open { failures.note($0) }
            var counts = dal.observe { try Item.count(in: $0) }.makeAsyncIterator()
            #expect(try await counts.next() == 1)
            // The writer checks its files at intervals, and would refuse to write.
            writer.pause()
            #expect(rename(path, path + ".old") == 0)
            #expect(await happens { !failures.all.isEmpty })
            #expect(rename(path + ".old", path) == 0)
            writer.resume()
            try await writer.run(.write("b", "2"))
            #expect(try await counts.next() == 2)
            try await dal.close()
        }
        #expect(failures.all.map(\.operation) == [.commitWatch])
        #expect((failures.all.first?.error as? StoreError)?.code == .interference)
    }

    private func open(
        every interval: Duration = .milliseconds(1),
        _ handler: @escaping @Sendable (BackgroundFailure) -> Void = { Issue.record($0.error) }
    ) async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.isReadOnly = true
        configuration.commitWatchInterval = interval
        configuration.errorHandler = handler
        return try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
    }
}

/// Counts the reads of a closure.
private final class Reads: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

private final class Failures: Sendable {
    private let noted = Lock<[BackgroundFailure]>([])

    var all: [BackgroundFailure] { noted.withLock { $0 } }

    func note(_ failure: BackgroundFailure) { noted.withLock { $0.append(failure) } }
}
#endif
