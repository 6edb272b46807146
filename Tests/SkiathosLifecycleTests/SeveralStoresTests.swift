#if Lifecycle
import SkiathosLocks
import ReliabilityKit
import Skiathos
import SkiathosLifecycle
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct SeveralStoresTests {
    @Test func `a store can be written to until those behind it in the list are closed`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let accounts = try await open(.sqlite(directory.file("test.sqlite")), label: "accounts")
        // Not in memory, where a read would wait for the write.
        let search = try await open(.sqlite(directory.file("search.sqlite")), label: "search")
        let (began, isStopping) = (Latch(), Latch())
        search.enqueue { _ in
            began.open()
            isStopping.wait()
            try accounts.write { try Note.create(in: $0) }
        }
        await began.waitToTheEnd()
        async let running = AppStateReactor(accounts, search).run {}
        // From here on it is being shut down, and waits for the write.
        while (try? await search.read { _ in }) != nil { await Task.yield() }
        isStopping.open()
        let report = try await running
        #expect(report.isComplete, "\(report)")
        #expect(report.stores.map(\.label) == ["accounts", "search"])
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test(arguments: [0, 1])
    func `a store whose closing fails does not keep the other from being closed`(
        failing: Int
    ) async throws {
        let (sound, faulty) = (try TemporaryDirectory(), try TemporaryDirectory())
        let volume = try Volume(faulty.path)
        var stores = [try await open(in: sound)]
        stores.insert(try await open(.sqlite(volume.path), label: "faulty"), at: failing)
        let all = stores
        let report = try await AppStateReactor(all).run {
            for dal in all { try await dal.write { try Note.create(in: $0) } }
            volume.fail(Fault(.sync, isForEver: true, result: 1034))
        }
        #expect(report.stores[failing].failure != nil)
        #expect(report.stores[1 - failing].isComplete, "\(report)")
        #expect(!report.isComplete)
        #expect(report.workEnded)
        #expect(report.description.contains("the store faulty"))
        #expect(try await storedNotes(in: sound) == 1)
        withExtendedLifetime(faulty) {}
    }

    @Test func `a store that cannot be closed leaves time for the others`() async throws {
        let directory = try TemporaryDirectory()
        let sound = try await open(in: directory)
        try await sound.write { try Note.create(in: $0) }
        var configuration = Configuration()
        configuration.shutdownDeadline = .seconds(600)
        let stuck = try await open(.inMemory, configuration)
        let (began, end) = (Latch(), Latch())
        stuck.enqueue { _ in
            began.open()
            end.wait()
        }
        await began.waitToTheEnd()
        let report = try await AppStateReactor(sound, stuck, deadline: .seconds(1)).run {}
        #expect(report.stores.map(\.isClosed) == [true, false])
        #expect(report.stores[1].unfinished == 1)
        end.open()
        try await stuck.close()
        #expect(try await storedNotes(in: directory) == 1)
    }

    @Test func `a list without a store runs its work`() async throws {
        let report = try await AppStateReactor([]).run {}
        #expect(report.isComplete)
        #expect(report.stores.isEmpty)
    }

    @Test func `a report names its store unless it is the only one by default`() {
        var report = ShutdownReport()
        report.isClosed = true
        #expect(report.description.hasPrefix("The store was closed after"))
        report.label = "search"
        #expect(report.description.hasPrefix("The store search was closed after"))
        report.refused = 2
        #expect(report.description.contains("the store search was closed"))
        let whole = ReactorReport(stores: [ShutdownReport(), report], workEnded: false)
        #expect(!whole.isComplete)
        #expect(
            whole.description
                == "The work had not ended when the stores were shut down. \(ShutdownReport()) \(report)"
        )
    }
}
#endif
