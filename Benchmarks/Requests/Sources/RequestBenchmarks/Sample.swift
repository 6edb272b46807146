import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// What one round of one contestant took.
struct Sample {
    /// Requests in a second.
    let rate: Double
    /// The time of the processor for one request, of all threads of this process, in microseconds.
    let processor: Double

    init(of requests: Int, width: Int, _ contestant: any Contestant) async throws {
        let clock = ContinuousClock()
        let processor = Self.processorTime()
        let start = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<width {
                group.addTask {
                    for _ in 0..<requests / width { try await contestant.ask() }
                }
            }
            try await group.waitForAll()
        }
        let count = Double(requests / width * width)
        rate = count / ((clock.now - start) / .seconds(1))
        self.processor = (Self.processorTime() - processor) / count * 1e6
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
