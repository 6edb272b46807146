import Foundation
import Logging
import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct LongReadTests {
    private let store: TemporaryStore
    private let log = RecordedLog()
    private let configuration: Configuration

    init() throws {
        store = try TemporaryStore()
        var configuration = Configuration()
        configuration.walSizeLimit = 16 << 20
        configuration.checkpointSize = 4 << 20
        configuration.logger = log.logger
        configuration.label = "photos"
        self.configuration = configuration
    }

    private var walSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// Writes two megabytes, of which one goes into an index, for each number, in a write of its own.
    private func write(_ numbers: Range<Int>, to dal: DataAccessLayer) async throws {
        let text = String(repeating: "7", count: 1 << 20)
        for number in numbers {
            try await dal.write { context in
                try User.create(in: context) {
                    $0.firstname = text
                    $0.age = number
                }
            }
        }
    }

    @Test func `a long read blocks no write, is named by one warning, and the WAL shrinks`()
        async throws
    {
        let dal = try await store.open(configuration)
        try await write(0..<1, to: dal)
        let place = "\(#fileID):\(#line + 1)"
        let counts = try await dal.whileAReadIsUnderWay({ try User.count(in: $0) }) {
            // Other reads come and go, and are not blamed.
            try await write(1..<7, to: dal)
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 7)
            try await write(7..<14, to: dal)
            #expect(walSize > 20 << 20)
            await log.first.wait()
        }
        #expect(counts == (1, 1))
        let warning = try #require(log.entries.entries.first)
        #expect(warning.level == .warning)
        #expect(warning.message.contains(place), "\(warning.message)")
        #expect(!warning.message.contains("7777"))
        #expect(warning.metadata["skiathos.read.place"] == "\(place)")
        #expect(warning.metadata["skiathos.read.duration"] != nil)
        #expect(warning.metadata["skiathos.wal.limit"] == "\(16 << 20)")
        #expect(warning.metadata["skiathos.store"] == "photos")
        let size = try #require(warning.metadata["skiathos.wal.size"].flatMap { Int("\($0)") })
        #expect(size > 16 << 20)
        // A checkpoint runs beside the writes. At 64 MiB, a write would wait for reads.
        var number = 14
        while walSize > 18 << 20, number < 60 {
            try await write(number..<(number + 1), to: dal)
            number += 1
        }
        #expect(walSize <= 18 << 20)
        #expect(log.entries.entries.map(\.message).count == 1)
        try await dal.close()
    }

    @Test func `the asynchronous forms name their caller too`() async throws {
        let dal = try await store.open(configuration)
        let reads = dal.coordinator.main.gate
        func place() -> String? { reads.oldestHolder.map { "\($0.place)" } }
        let file = #fileID
        let line = UInt(#line)
        let seen: String? = try await dal.read { _ in reads.oldestHolder.map { "\($0.place)" } }
        #expect(seen == "\(file):\(line + 1)")
        try await dal.read { _ in #expect(reads.oldestHolder?.place.line == line + 3) }
        let chained = try await dal.write { _ in 1 }
            .read { _, _ in reads.oldestHolder?.place.line }
        #expect(chained == line + 5)
        let given: UInt? = try await dal.read(
            { _ in reads.oldestHolder?.place.line }, file: "Other/File.swift", line: 7)
        #expect(given == 7)
        #expect(reads.oldestHolder == nil)
        try await dal.close()
    }

    @Test func `the oldest of several reads is the one that began first`() async throws {
        var configuration = configuration
        configuration.readerCount = 3
        let dal = try await store.open(configuration)
        let reads = dal.coordinator.main.gate
        let first = try await reads.enter(from: SourcePlace(file: "First.swift", line: 1))
        var now = CoarseTime.now
        while CoarseTime.now == now { await Task.yield() }
        let second = try await reads.enter(from: SourcePlace(file: "Second.swift", line: 2))
        #expect(reads.oldestHolder?.place.line == 1)
        reads.leave(first)
        #expect(reads.oldestHolder?.place.line == 2)
        now = .now
        while CoarseTime.now == now { await Task.yield() }
        let third = try await reads.enter(from: SourcePlace(file: "Third.swift", line: 3))
        #expect(reads.oldestHolder?.place.line == 2)
        reads.leave(third)
        reads.leave(second)
        try await dal.close()
    }

    @Test func `a limit below zero is refused`() async throws {
        var configuration = configuration
        configuration.walSizeLimit = -1
        let refused = configuration
        let error = await #expect(throws: DataAccessError.self) { try await store.open(refused) }
        #expect(error?.code == .invalidRequest)
    }

    @Test func `the default error handler logs to the logger of the configuration`() {
        configuration.errorHandler(
            BackgroundFailure(operation: .commit, error: CancellationError()))
        let entry = log.entries.entries.first
        #expect(entry?.level == .error)
        #expect(entry?.metadata["skiathos.operation"] == "commit")
        #expect(entry?.metadata["skiathos.store"] == "photos")
    }
}
