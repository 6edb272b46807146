import Foundation
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct DidCommitTests {
    private struct Refused: Error {}
    private typealias Changes = EntityChanges<Message>

    /// Runs a test with a log of the messages' notifications; all have arrived when `deliverAll()`
    /// returns.
    private func withMessages(
        _ place: Place = .file, configuration: Configuration = Configuration(),
        _ body: @Sendable (DataAccessLayer, Log<Changes>) async throws -> Void
    ) async throws {
        let log = Log<Changes>()
        try await observing(configuration, { log.note($0) }) { configuration in
            try await withNotes(place, messages: true, configuration: configuration) { dal in
                try await body(dal, log)
            }
        }
    }

    /// Runs a closure with a configuration whose store notifies an observer of its messages.
    private func observing(
        _ configuration: Configuration, _ observer: @escaping @Sendable (Changes) -> Void,
        _ body: (Configuration) async throws -> Void
    ) async throws {
        var configuration = configuration
        let label = "store-\(UInt64.random(in: 0 ... .max))"
        configuration.label = label
        Message.observers.withLock { $0[label] = observer }
        defer { Message.observers.withLock { $0[label] = nil } }
        try await body(configuration)
    }

    @Test(arguments: Place.allCases)
    func `each committed write is notified once, in order, with its outcome`(
        _ place: Place
    ) async throws {
        try await withMessages(place) { dal, log in
            let ids = try await dal.write { context in
                try (0..<3).map { _ in try Message.create(in: context).id }
            }
            try await dal.write { try User.create(in: $0) }
            try await dal.write { context in
                try Message.find(ids[0], in: context)?.text = "changed"
                _ = try Message.count(in: context)
                try Message.find(ids[0], in: context)?.text = "changed again"
                try Message.find(ids[1], in: context)?.delete()
                let gone = try Message.create(in: context)
                _ = try Message.count(in: context)
                try gone.delete()
            }
            try await dal.write { try Message.find(ids[2], in: $0)?.text = "" }
            await dal.deliverAll()
            let heard = log.entries
            #expect(heard.count == 2)
            #expect(heard.first?.inserted == ids)
            #expect(heard.first?.isComplete == true)
            #expect(heard.last?.inserted == [])
            #expect(heard.last?.updated.map(\.id) == [ids[0]])
            #expect(heard.last?.updated.map(\.columns) == [["text"]])
            #expect(heard.last?.deleted == [ids[1]])
        }
    }

    @Test(arguments: Place.allCases)
    func `writes and scopes that were rolled back are not notified`(_ place: Place) async throws {
        try await withMessages(place) { dal, log in
            await #expect(throws: Refused.self) {
                try await dal.write { context in
                    try Message.create(in: context)
                    _ = try Message.count(in: context)
                    throw Refused()
                }
            }
            let kept = try await dal.write { context in
                let kept = try Message.create(in: context).id
                #expect(throws: Refused.self) {
                    try context.nested { context in
                        try Message.create(in: context)
                        try Message.deleteAll(in: context)
                        throw Refused()
                    }
                }
                return kept
            }
            await dal.deliverAll()
            #expect(log.entries.map(\.inserted) == [[kept]])
            #expect(log.entries.map(\.isComplete) == [true])
        }
    }

    @Test(arguments: Place.allCases)
    func `a write that leaves every row as it was is not notified`(_ place: Place) async throws {
        try await withMessages(place) { dal, log in
            let id = try await dal.write { try Message.create(in: $0).id }
            try await dal.write { context in
                try Message.find(id, in: context)?.text = "changed"
                _ = try Message.count(in: context)
                try Message.find(id, in: context)?.text = ""
            }
            await dal.deliverAll()
            #expect(log.entries.map(\.inserted) == [[id]])
        }
    }

    @Test func `writes that share a commit are notified one by one`() async throws {
        try await withMessages(configuration: .patient) { dal, log in
            var ids: [Message.ID] = []
            for _ in 0..<5 {
                ids.append(
                    try await dal.write(acknowledging: .merged) { try Message.create(in: $0).id })
            }
            await dal.deliverAll()
            #expect(log.entries.isEmpty)
            try await dal.flush(to: .committed)
            await dal.deliverAll()
            #expect(log.entries.map(\.inserted) == ids.map { [$0] })
        }
    }

    @Test func `a write that returned as merged and was lost later is not notified`() async throws {
        let log = Log<Changes>()
        var configuration = Configuration.patient
        configuration.errorHandler = { _ in }
        try await observing(configuration, { log.note($0) }) { configuration in
            try await withFailingStore(configuration: configuration) { dal, control in
                try await dal.write(acknowledging: .merged) { try Message.create(in: $0) }
                control.refuseCommits(true)
                await #expect(throws: StoreError.self) { try await dal.flush() }
                control.refuseCommits(false)
                let id = try await dal.write { try Message.create(in: $0).id }
                await dal.deliverAll()
                #expect(log.entries.map(\.inserted) == [[id]])
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `changes without objects are notified row by row, but for a reset`(
        _ place: Place
    ) async throws {
        try await withMessages(place) { dal, log in
            let (note, messages) = try await dal.write { context in
                let note = try Note.create(in: context).id
                let messages = try (0..<2).map { _ in
                    try Message.create(in: context) { $0.note = note }.id
                }
                return (note, messages)
            }
            let writes: [@Sendable (WriteContext) throws -> Void] = [
                { try Message.update(set: { [$0.text.set(to: "new")] }, in: $0) },
                // The messages go with their note.
                { try Note.find(note, in: $0)?.delete() },
                // There is no row any more, so nothing is changed.
                { try Message.deleteAll(in: $0) },
            ]
            for write in writes { try await dal.write(write) }
            try await dal.reset()
            await dal.deliverAll()
            #expect(log.entries.map(\.isComplete) == [true, true, true, false])
            let (updated, deleted) = (log.entries[1], log.entries[2])
            #expect(updated.updated.map(\.id) == messages)
            #expect(updated.updated.map(\.columns) == [["text"], ["text"]])
            #expect(messages.map { updated.after($0)?.text } == ["new", "new"])
            #expect(deleted.deleted == messages)
            #expect(messages.map { deleted.before($0)?.note } == [note, note])
        }
    }

    @Test func `didCommit is called on a thread of the store, and may use the store`() async throws
    {
        let (values, value) = AsyncStream.makeStream(of: Int.self)
        let threads = Log<Bool>()
        let calling = Lock<WeakStore>(WeakStore())
        let observer: @Sendable (Changes) -> Void = { changes in
            threads.note(Thread.current.name == "caller")
            guard let dal = calling.withLock({ $0.dal }) else { return }
            do {
                if changes.updated.isEmpty {
                    try dal.write { context in
                        for id in changes.inserted {
                            try Message.find(id, in: context)?.text = "heard"
                        }
                    }
                } else {
                    value.yield(
                        try dal.read { context in
                            try Message.count(where: { $0.text == "heard" }, in: context)
                        })
                }
            } catch {
                value.finish()
            }
        }
        try await observing(Configuration(), observer) { configuration in
            try await withNotes(messages: true, configuration: configuration) { dal in
                calling.withLock { $0.dal = dal }
                _ = try await onThread {
                    Thread.current.name = "caller"
                    return try dal.write { try Message.create(in: $0).id }
                }
                var iterator = values.makeAsyncIterator()
                let count = await iterator.next()
                #expect(count == 1)
            }
        }
        #expect(threads.entries == [false, false])
    }

    @Test(arguments: Place.allCases)
    func `writes of many tasks are notified in the order of their permits`(
        _ place: Place
    ) async throws {
        try await withMessages(place) { dal, log in
            let turns = Log<Message.ID>()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        for _ in 0..<20 {
                            let level = Acknowledgement.allCases[number % 3]
                            try await dal.write(acknowledging: level) { context in
                                turns.note(try Message.create(in: context).id)
                                if number > 3 { _ = try Message.count(in: context) }
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await dal.flush(to: .committed)
            await dal.deliverAll()
            #expect(log.entries.map(\.inserted) == turns.entries.map { [$0] })
        }
    }

    @Test(arguments: Place.allCases)
    func `notifications and feeds of two stores name their store`(_ place: Place) async throws {
        let log = Log<Changes>()
        let number = UInt64.random(in: 0 ... .max)
        var (first, second) = (Configuration(), Configuration())
        (first.label, second.label) = ("archive-\(number)", "main-\(number)")
        let labels = [first.label, second.label]
        Message.observers.withLock { observers in
            for label in labels { observers[label] = { log.note($0) } }
        }
        defer {
            Message.observers.withLock { observers in
                for label in labels { observers[label] = nil }
            }
        }
        let mainConfiguration = second
        try await withNotes(place, messages: true, configuration: first) { archive in
            try await withNotes(place, messages: true, configuration: mainConfiguration) { main in
                let stores = [archive, main]
                var feeds = stores.map { $0.changes(of: Message.self).makeAsyncIterator() }
                for dal in [main, archive, archive] {
                    try await dal.write { try Message.create(in: $0) }
                    await dal.deliverAll()
                }
                // Rows that changed without objects are named, too.
                try await main.reset()
                await main.deliverAll()
                #expect(log.entries.map(\.store) == [1, 0, 0, 1].map { labels[$0] })
                #expect(log.entries.map(\.isComplete) == [true, true, true, false])
                for (number, label) in labels.enumerated() {
                    let event = try await feeds[number].next()
                    guard case .changes(let changes)? = event else {
                        Issue.record(
                            "The feed of \(label) has returned \(String(describing: event)).")
                        continue
                    }
                    #expect(changes.store == label)
                }
            }
        }
    }

    @Test func `a shutdown returns when every notification was delivered`() async throws {
        let log = Log<Changes>()
        try await observing(.patient, { log.note($0) }) { configuration in
            let dal = try await DataAccessLayer.open(
                .inMemory, entities: Message.self, Note.self, configuration: configuration)
            for _ in 0..<100 {
                try await dal.write(acknowledging: .merged) { try Message.create(in: $0) }
            }
            let report = await dal.shutDown(within: .seconds(600))
            #expect(report.isComplete)
            #expect(log.entries.count == 100)
        }
    }
}

/// A store that an observer uses and does not keep open.
private struct WeakStore: Sendable {
    weak var dal: DataAccessLayer?
}

extension DataAccessLayer {
    /// Waits until the entities were notified of all commits so far.
    fileprivate func deliverAll() async {
        await withContinuation { continuation in
            coordinator.completions.notify(queue: .global()) { continuation.resume() }
        }
    }
}
