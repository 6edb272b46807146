#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import TestSupport
import Testing

struct AnswerFuzzTests {
    struct Album: Codable, Sendable {
        var title: String?
        var tracks: [Int]?
    }

    @Test(.seeded, .generousTimeLimit)
    func `any answer gives a value or an error of the service`() async throws {
        let seed = Seed.current
        let rounds = UInt64(Rounds.of(400))
        var (values, failures) = (0, 0)
        for round in 0..<rounds {
            for call in 0..<5 {
                let isValue = try await Self.play(call, seed: seed &+ round)
                if isValue { values += 1 } else { failures += 1 }
            }
        }
        // Both kinds have to come up, or else the answers are not what they should be.
        #expect(values > rounds / 4)
        #expect(failures > rounds / 4)
    }

    /// Whether a value came; records what is neither a value nor an error of the service.
    private static func play(_ call: Int, seed: UInt64) async throws -> Bool {
        var answers = RandomAnswers(seed: seed)
        let first = try answers.next()
        let transport = RecordingTransport(clock: HurriedClock())
            .on(nil, "*", first, then: try (0..<3).map { _ in try answers.next() })
        let fixture = try BodyFixture(transport) {
            $0.clock = HurriedClock()
            $0.maximumBodySize = 100_000
            $0.failureBodyTimeLimit = .seconds(60)
        }
        return try await withFiles { directory in
            do {
                try await make(call, fixture.service, directory)
                return true
            } catch is DataRequestError {
                return false
            } catch {
                Issue.record("\(error) in call \(call) of seed \(seed)")
                return false
            }
        }
    }

    private static func make(
        _ call: Int, _ service: DataRequestService, _ directory: URL
    ) async throws {
        let request = DataRequest(.get, "x").failing(with: Album.self)
        switch call {
        case 0: _ = try await service.decode(Album?.self, from: request)
        case 1: _ = try await service.decode(String.self, from: request)
        case 2: #expect(try await service.data(for: request).count <= 100_000)
        case 3:
            for try await piece in try await service.response(for: request).body {
                #expect(!piece.isEmpty)
            }
        default: try await download(request, service, directory)
        }
    }

    private static func download(
        _ request: DataRequest, _ service: DataRequestService, _ directory: URL
    ) async throws {
        let file = directory.appending(path: "file")
        var options = DownloadOptions()
        options.keepsPartialFile = false
        options.maximumResumptions = 2
        let result: Result<DownloadResult, any Error>
        do {
            result = .success(try await service.download(request, to: file, options: options))
        } catch {
            result = .failure(error)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        switch result {
        case .success(let result):
            #expect(left == ["file"])
            #expect(try Int64(Data(contentsOf: file).count) == result.size)
        case .failure(let error):
            #expect(left == [])
            throw error
        }
    }
}
#endif
