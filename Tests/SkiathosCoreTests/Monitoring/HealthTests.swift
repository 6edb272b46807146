import Foundation
import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct HealthTests {
    // A property, so that its files are there until the test has ended.
    private let store: TemporaryStore

    init() throws { store = try TemporaryStore() }

    @Test func `an open store is healthy, and knows its WAL once it has committed`() async throws {
        let dal = try await store.open()
        #expect(dal.health.isHealthy)
        #expect(dal.health.state == .open)
        try await dal.write { try User.create(in: $0) }
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        let size = try #require(attributes[.size] as? Int)
        #expect(dal.health == StoreHealth(state: .open, walSize: size))
        #expect(
            "\(dal.health)" == "open; a WAL of \(size) bytes; 0 writes and 0 reads wait")
        try await dal.write { try User.create(in: $0) { $0.age = 1 } }
        #expect(try #require(dal.health.walSize) > size)
        try await dal.close()
    }

    @Test func `a store in memory has no WAL`() async throws {
        try await withStore(.memory) { dal in
            try await dal.write { try User.create(in: $0) }
            #expect(dal.health == StoreHealth(state: .open))
        }
    }

    @Test func `a store that is read only is healthy`() async throws {
        let dal = try await store.open()
        try await dal.write { try User.create(in: $0) }
        var configuration = Configuration()
        configuration.isReadOnly = true
        let reader = try await store.open(configuration)
        let count: Int = try await reader.read { try User.count(in: $0) }
        #expect(count == 1)
        #expect(reader.health == StoreHealth(state: .readOnly))
        #expect(reader.health.isHealthy)
        try await reader.close()
        #expect(reader.health.state == .closed)
        try await dal.close()
    }

    @Test func `a store whose sync has failed is failing until it is opened again`() async throws {
        let volume = try Volume(store.directory.path)
        volume.record(false)
        var configuration = Configuration()
        configuration.errorHandler = { _ in }
        let dal = try await DataAccessLayer.fixture(
            at: volume.path, configuration: configuration)
        try await dal.write { try User.create(in: $0) }
        #expect(dal.health.isHealthy)
        volume.fail(Fault(.sync, .wal, result: 1034))
        await #expect(throws: StoreError.self) { try await dal.flush() }
        let health = dal.health
        #expect(health.state == .failing)
        #expect(!health.isHealthy)
        #expect(health.failure?.code == .inputOutput)
        #expect("\(health)".hasPrefix("failing: \(try #require(health.failure).message)"))
        // It does not heal by itself, although writes are committed.
        volume.fail(nil)
        try await dal.write { try User.create(in: $0) { $0.age = 1 } }
        #expect(dal.health.state == .failing)
        _ = try? await dal.close()
        #expect(dal.health.state == .closed)
        #expect(dal.health.failure?.code == .inputOutput)
        let again = try await DataAccessLayer.fixture(at: volume.path)
        #expect(again.health.isHealthy)
        #expect(again.health.failure == nil)
        try await again.close()
        withExtendedLifetime(volume) {}
    }

    @Test func `a store whose WAL was removed is failing`() async throws {
        var configuration = Configuration()
        configuration.errorHandler = { _ in }
        let dal = try await store.open(configuration)
        try await dal.write(acknowledging: .durable) { try User.create(in: $0) }
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        await #expect(throws: StoreError.self) {
            try await dal.write(acknowledging: .durable) { context in
                try User.create(in: context) { $0.age = 1 }
            }
        }
        #expect(dal.health.state == .failing)
        #expect(dal.health.failure?.code == .interference)
        await #expect(throws: StoreError.self) { try await dal.close() }
        #expect(dal.health.state == .closed)
    }

    @Test(arguments: Place.allCases)
    func `a store is closing while accepted calls are under way, and closed afterwards`(
        _ place: Place
    ) async throws {
        let dal = try await store.open(in: place)
        let closing = Log<Task<Void, any Error>>()
        try await dal.whileAWriteIsUnderWay {
            #expect(dal.health.state == .open)
            closing.note(Task { try await dal.close() })
            #expect(await happens { dal.health.state == .closing })
            #expect(!dal.health.isHealthy)
        }
        for task in closing.entries { try await task.value }
        #expect(dal.health == StoreHealth(state: .closed))
        #expect("\(dal.health)" == "closed; 0 writes and 0 reads wait")
    }

    @Test func `writes that wait are counted`() async throws {
        try await withStore { dal in
            let tasks = Log<Task<Void, any Error>>()
            try await dal.whileAWriteIsUnderWay {
                #expect(dal.health.waitingWrites == 0)
                tasks.note(Task { try await dal.write { _ in } })
                await dal.waitForWriters(1)
                dal.enqueue { _ in }
                await dal.waitForWriters(2)
                #expect(dal.health.waitingWrites == 2)
                #expect(dal.health.isHealthy)
            }
            for task in tasks.entries { try await task.value }
            try await dal.flush()
            #expect(dal.health.waitingWrites == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `reads that wait are counted, and the oldest read is named`(
        _ place: Place
    ) async throws {
        var configuration = Configuration()
        configuration.readerCount = 1
        try await withStore(place, configuration: configuration) { dal in
            #expect(dal.health.oldestRead == nil)
            let waiting = Log<Task<Int, any Error>>()
            _ = try await dal.whileAReadIsUnderWay(
                file: "App/Report.swift", line: 42, { try User.count(in: $0) }
            ) {
                waiting.note(Task { try await dal.read { try User.count(in: $0) } })
                // In memory there is one queue for both.
                let isFile = place == .file
                #expect(
                    await happens {
                        (isFile ? dal.health.waitingReads : dal.health.waitingWrites) == 1
                    })
                #expect((isFile ? dal.health.waitingWrites : dal.health.waitingReads) == 0)
                #expect(dal.health.oldestRead?.place == "App/Report.swift:42")
                let age = try #require(dal.health.oldestRead?.age)
                #expect(await happens { (dal.health.oldestRead?.age ?? .zero) > age })
                #expect("\(dal.health)".contains("the read of App/Report.swift:42 has been"))
            }
            for task in waiting.entries { #expect(try await task.value == 0) }
            #expect(dal.health.oldestRead == nil)
            #expect(dal.health.waitingReads == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `the health is known while closures hold the permit and every connection`(
        _ place: Place
    ) async throws {
        var configuration = Configuration()
        configuration.readerCount = 1
        try await withStore(place, configuration: configuration) { dal in
            let answers = Log<StoreHealth>()
            let door = Door()
            let held = Event()
            async let holder: Void = onThread {
                // The permit and the writing connection, on one thread.
                try dal.write { context in
                    try User.create(in: context)
                    try context.withSession { _ in
                        held.happen()
                        door.pass()
                    }
                }
            }
            await held.wait()
            async let reading: Void = onThread {
                try dal.read { _ in
                    answers.note(dal.health)
                    door.pass()
                }
            }
            let count = place == .file ? 1 : 0
            #expect(await happens { answers.entries.count == count })
            Thread.detachNewThread { answers.note(dal.health) }
            #expect(await happens { answers.entries.count == count + 1 })
            #expect(answers.entries.allSatisfy { $0.state == .open })
            door.open()
            try await holder
            try await reading
        }
    }

    @Test func `asking for the health runs no query`() async throws {
        try await withFailingStore { dal, control in
            try await dal.write { try Company.create(in: $0) { $0.name = "Acme" } }
            let _: Int = try await dal.read { try Company.count(in: $0) }
            let count = control.queryCount
            #expect(count > 0)
            for _ in 0..<100 { #expect(dal.health.isHealthy) }
            try await dal.read { _ in #expect(dal.health.isHealthy) }
            #expect(control.queryCount == count)
        }
    }

    @Test func `asking for the health touches no file`() async throws {
        let volume = try Volume(store.directory.path)
        volume.record(false)
        let dal = try await DataAccessLayer.fixture(at: volume.path)
        try await dal.write { try User.create(in: $0) }
        let (all, touched) = (Log<Volume.Operation>(), Log<Volume.Operation>())
        volume.hook { operation, _ in
            all.note(operation)
            if Thread.current.name == "asking" { touched.note(operation) }
        }
        try await onThread {
            Thread.current.name = "asking"
            for _ in 0..<100 { #expect(dal.health.isHealthy) }
        }
        #expect(touched.entries.isEmpty)
        // The hook would have noticed it.
        try await dal.write(acknowledging: .durable) {
            _ = try User.create(in: $0) { $0.age = 7 }
        }
        #expect(!all.entries.isEmpty)
        try await dal.close()
        withExtendedLifetime(volume) {}
    }

    @Test(.generousTimeLimit) func `a report does not keep the store open`() async throws {
        let health = try await store.open().health
        let again = try await store.openWhenReleased()
        #expect(health.isHealthy)
        try await again.close()
    }

    @Test func `a description has one line`() {
        let error = StoreError(.inputOutput, "A sync\nhas failed.", cause: nil)
        let health = StoreHealth(
            state: .failing, failure: error, walSize: 4096, waitingWrites: 3, waitingReads: 2,
            oldestRead: StoreHealth.Read(place: "App/Report.swift:42", age: .seconds(3)))
        #expect(
            "\(health)"
                == "failing: A sync has failed. (inputOutput); a WAL of 4096 bytes; 3 writes and 2 reads wait; the read of App/Report.swift:42 has been running for 3.0 seconds"
        )
    }
}
