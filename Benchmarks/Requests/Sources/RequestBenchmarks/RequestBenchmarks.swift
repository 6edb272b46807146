import AsyncHTTPClient
import Foundation

/// Compares requests of the data request service with AsyncHTTPClient by itself.
///
/// Both ask the same server on loopback, in a process of its own, for the same small JSON, which
/// both decode. They take turns, so that what else the machine does falls on both alike.
@main
struct RequestBenchmarks {
    static func main() async throws {
        let words = CommandLine.arguments
        if words.dropFirst().first == "serve" { return try await Server.run() }
        if words.contains("--help") || words.contains("-h") {
            return print(
                """
                Compares requests of the data request service with bare AsyncHTTPClient.
                Usage: RequestBenchmarks [rounds, default 15] [requests in a round, default 4000]
                """)
        }
        let rounds = words.dropFirst().first.flatMap { Int($0) } ?? 15
        let requests = words.dropFirst(2).first.flatMap { Int($0) } ?? 4_000
        let server = try ServerProcess()
        defer { server.stop() }
        let base = try server.baseURL()
        let contestants = [
            try BareClient(base: base) as any Contestant, try Service(base: base),
        ]
        for width in [1, 32] {
            try await compare(contestants, rounds: rounds, requests: requests, width: width)
        }
        for contestant in contestants { try await contestant.shutDown() }
    }

    private static func compare(
        _ contestants: [any Contestant], rounds: Int, requests: Int, width: Int
    ) async throws {
        var samples = [[Sample]](repeating: [], count: contestants.count)
        for round in 0...rounds {
            for (index, contestant) in contestants.enumerated() {
                let sample = try await Sample(of: requests, width: width, contestant)
                // The first round makes connections and warms caches.
                if round > 0 { samples[index].append(sample) }
            }
        }
        print("\(width) at a time, median of \(rounds) rounds of \(requests) requests:")
        for (contestant, samples) in zip(contestants, samples) {
            let rate = samples.map(\.rate).median
            let processor = samples.map(\.processor).median
            print(
                "  \(contestant.name): \(Int(rate)) requests/s, \(processor.text) µs of processor")
        }
        let pairs = zip(samples[0], samples[1])
        let rates = pairs.map { $1.rate / $0.rate }.median
        let processor = pairs.map { $1.processor / $0.processor }.median
        print("  ratio: \(rates.text) of the rate, \(processor.text) of the processor's time")
    }
}

extension [Double] {
    /// The value in the middle.
    var median: Double { isEmpty ? .nan : sorted()[count / 2] }
}

extension Double {
    /// With two digits behind the point.
    var text: String { String(format: "%.2f", self) }
}
