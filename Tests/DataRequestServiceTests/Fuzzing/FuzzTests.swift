#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestSupport
import Testing

/// How often each outcome came.
private final class OutcomeCounts: Sendable, CustomStringConvertible {
    private let counts = Lock<[String: Int]>([:])

    func add(_ outcome: String) { counts.withLock { $0[outcome, default: 0] += 1 } }

    var description: String {
        counts.withLock { $0 }.sorted { $0.value > $1.value }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}

@Suite(.generousTimeLimit) struct FuzzTests {
    private struct Item: Decodable {
        var id: Int
        var name: String
    }

    @Test(.seeded)
    func `no answer causes a trap, a hang or an error of another kind`() async throws {
        // The others follow it.
        let first = Seed.current >> 1
        let count = UInt64(Rounds.of(1_000))
        let outcomes = OutcomeCounts()
        try await withRawServer { raw, _ in
            let head = await raw.readHead()
            // The seed stands in the path, so that each exchange is repeated by its seed alone.
            guard
                let seed = head.split(separator: "/").lazy.compactMap({
                    UInt64($0.prefix { $0.isNumber })
                }).first
            else { return }
            let answer = FuzzedAnswer(seed: seed)
            try await raw.write(answer.bytes)
            switch answer.end {
            case .close: return
            case .reset: try await raw.reset()
            case .stay: await raw.untilClosed()
            }
        } run: { url in
            let service = try Self.service(url)
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        for seed in stride(from: first + UInt64(worker), to: first + count, by: 16)
                        {
                            let outcome = await Self.outcome(of: seed, service)
                            outcomes.add(outcome)
                        }
                    }
                }
            }
            _ = await service.shutDown(deadline: .zero)
        }
        print(outcomes.description)
    }

    private static func service(_ url: URL) throws -> DataRequestService {
        var configuration = DataRequestService.Configuration.patient
        configuration.retry = .never
        configuration.maximumBodySize = 1 << 16
        return try DataRequestService(
            environment: ServerEnvironment("fuzz", baseURL: url), connections: .patient,
            configuration: configuration)
    }

    /// What became of one exchange, by one of the ways to read an answer.
    private static func outcome(of seed: UInt64, _ service: DataRequestService) async -> String {
        let request = DataRequest(.get, "\(seed)/x").timeLimits(
            RequestOptions.TimeLimits(total: .seconds(1)))
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appending(
            path: "fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(seed)")
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            switch seed % 4 {
            case 0: _ = try await service.decode(Item.self, from: request)
            case 1: _ = try await service.data(for: request)
            case 2: for try await _ in try await service.response(for: request).body {}
            default:
                var options = DownloadOptions()
                options.keepsPartialFile = false
                options.maximumResumptions = 1
                _ = try await service.download(request, to: file, options: options)
            }
            return "success"
        } catch let error as DataRequestError {
            return error.code.rawValue
        } catch {
            Issue.record(
                "The answer of the seed \(seed) gave \(error), which is no DataRequestError.")
            return "other"
        }
    }
}
#endif
