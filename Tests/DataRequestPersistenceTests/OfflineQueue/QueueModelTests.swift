#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestClocks
import TestSupport
import Testing

@testable import DataRequestPersistence

/// The queue does what a few lines say that it does, whatever a server answers.
struct QueueModelTests {
    /// What the server answers to a path when it comes for the n-th time.
    private enum Answer {
        case fine, refused, busy, unreachable, nonsense

        init(_ path: String, _ count: Int) {
            var random = SeededNumbers(
                seed: UInt64(path.utf8.reduce(7) { $0 &* 31 &+ Int($1) }) &+ UInt64(count))
            self =
                switch random.below(10) {
                case ..<6: .fine
                case 6: .refused
                case 7: .busy
                case 8: .unreachable
                default: .nonsense
                }
        }

        func give() throws -> HTTPResponse.Status {
            switch self {
            case .fine: return .noContent
            case .refused: return .conflict
            case .busy: return .serviceUnavailable
            case .unreachable: throw DataRequestPersistenceTests.unreachable
            case .nonsense: throw DataRequestError(.malformedResponse, "Nonsense.")
            }
        }
    }

    private struct Item {
        var path: String
        var attempts = 0
        var isDeadLetter = false
        var due = 0.0
    }

    private struct Model {
        let blocks: Bool
        var keys: [String: [Item]] = [:]
        var arrivals: [String: [String]] = [:]
        var counts: [String: Int] = [:]

        /// Sends the requests of each key until one fails.
        mutating func deliver(at now: Double) {
            for key in keys.keys.sorted() {
                while let index = keys[key]?.firstIndex(where: { blocks || !$0.isDeadLetter }),
                    var item = keys[key]?[index], !item.isDeadLetter
                {
                    let count = counts[item.path, default: 0]
                    counts[item.path] = count + 1
                    arrivals[key, default: []].append(item.path)
                    switch Answer(item.path, count) {
                    case .fine:
                        keys[key]?.remove(at: index)
                        continue
                    case .refused: item.isDeadLetter = true
                    default:
                        item.due = now + Double(min(1 << item.attempts, 300))
                    }
                    item.attempts += 1
                    keys[key]?[index] = item
                    if !item.isDeadLetter || blocks { break }
                }
            }
        }

        var all: [Item] { keys.keys.sorted().flatMap { keys[$0] ?? [] } }
    }

    @Test(
        arguments: [OfflineQueue.Configuration.DeadLetterPolicy.blockKey, .passOver],
        Seed.each(1, 2, 3))
    func `a queue is as its model after any operations`(
        _ policy: OfflineQueue.Configuration.DeadLetterPolicy, _ seed: UInt64
    ) async throws {
        try await withSeed(seed) { try await check(policy, seed) }
    }

    private func check(
        _ policy: OfflineQueue.Configuration.DeadLetterPolicy, _ seed: UInt64
    ) async throws {
        try await QueueFixture.run({
            $0.deadLetterPolicy = policy
            $0.removal = .merged
        }) { fixture in
            fixture.server.script { path, count in try Answer(path, count).give() }
            var random = SeededNumbers(seed: seed)
            var model = Model(blocks: policy == .blockKey)
            for number in 0..<150 {
                switch random.below(10) {
                case ..<5:
                    let key = "k\(random.below(4))"
                    try await fixture.enqueue("\(key)-\(number)", key: key)
                    model.keys[key, default: []].append(Item(path: "\(key)-\(number)"))
                case ..<7:
                    _ = try await fixture.queue.deliverNow()
                    model.deliver(at: fixture.clock.now.offset / .seconds(1))
                case 7: fixture.clock.advance(by: .seconds(random.below(100)))
                default: try await retryOrDiscardDeadLetter(&random, fixture, &model)
                }
                try await compare(fixture, model)
            }
            #expect(fixture.server.paths.count > 50)
        }
    }

    /// Retries or discards a dead letter.
    private func retryOrDiscardDeadLetter(
        _ random: inout SeededNumbers, _ fixture: QueueFixture, _ model: inout Model
    ) async throws {
        let deadLetters = try await fixture.queue.deadLetters()
        guard !deadLetters.isEmpty else { return }
        let item = deadLetters[random.below(deadLetters.count)]
        let index = try #require(
            model.keys[item.key]?.firstIndex { $0.path == item.path && $0.isDeadLetter })
        if random.happens(50) {
            try await fixture.queue.retry(item.id)
            model.keys[item.key]?[index] = Item(path: item.path)
        } else {
            try await fixture.queue.discard(item.id)
            model.keys[item.key]?.remove(at: index)
        }
    }

    private func compare(_ fixture: QueueFixture, _ model: Model) async throws {
        let rows = try await fixture.dal.read {
            try QueuedRequest.all(
                orderedBy: { [$0.key.ascending, $0.id.ascending] }, in: $0)
        }
        #expect(rows.map(\.path) == model.all.map(\.path))
        #expect(rows.map(\.attempts) == model.all.map(\.attempts))
        #expect(rows.map { $0.state == .deadLetter } == model.all.map(\.isDeadLetter))
        let due = rows.map { $0.nextAttempt?.timeIntervalSinceReferenceDate ?? 0 }
        let expected = model.all.map { $0.isDeadLetter ? 0 : $0.due }
        #expect(zip(due, expected).allSatisfy { abs($0 - $1) < 1e-6 })
        let arrivals = Dictionary(grouping: fixture.server.paths) { String($0.prefix(2)) }
        #expect(arrivals == model.arrivals)
    }
}
#endif
