import Skiathos
import SkiathosLocks
import Synchronization

/// Observes something in a task of its own, and compares what comes with what a read has found at
/// each version.
final class LiveProbe: Sendable {
    private struct State {
        /// What came and was not compared yet.
        var received: [String] = []
        var isEnded = false
    }

    /// How long a value may take to come: a thousand times as long as it ever took.
    private static var patience: Duration { .seconds(120) }

    private let name: String
    private let fresh: @Sendable (ReadContext) throws -> String
    private let task: Task<Void, Never>
    private let state: SharedState
    /// The results at all versions since the observation began, without those that repeat the one
    /// before.
    private let expected = Lock<[String]>([])
    /// How many of them lie before the last one that came, and that one.
    private let last = Lock<(position: Int, value: String?)>((0, nil))

    /// What the task of a probe and the probe share.
    private final class SharedState: Sendable {
        let value = Lock(State())
    }

    /// - Parameters:
    ///   - name: What is observed.
    ///   - fresh: Reads the same.
    ///   - values: The observation, each value as a text.
    init<Values: AsyncSequence & Sendable>(
        _ name: String, _ fresh: @escaping @Sendable (ReadContext) throws -> String,
        _ values: Values, _ describe: @escaping @Sendable (Values.Element) -> String
    ) {
        self.name = name
        self.fresh = fresh
        let state = SharedState()
        self.state = state
        task = Task {
            do {
                for try await value in values {
                    let text = describe(value)
                    state.value.withLock { $0.received.append(text) }
                }
            } catch {
                state.value.withLock { $0.received.append("\(error)") }
            }
            state.value.withLock { $0.isEnded = true }
        }
    }

    /// Adds the result of the version that was just committed.
    func expect(_ context: ReadContext) throws {
        let result = try fresh(context)
        expected.withLock { if $0.last != result { $0.append(result) } }
    }

    /// Waits until the newest result has come, and compares all that came; returns what is wrong.
    func settle() async -> [String] {
        let newest = expected.withLock { $0.last }
        let end = ContinuousClock.now + Self.patience
        var problems: [String] = []
        while true {
            problems += compare()
            if last.withLock({ $0.value }) == newest { return problems }
            if state.value.withLock({ $0.isEnded }) {
                return problems + ["\(name) has ended."]
            }
            guard ContinuousClock.now < end else {
                return problems + ["\(name) has not got the newest result."]
            }
            await Task.yield()
        }
    }

    /// Ends the observation; returns what has come too much.
    func end() async -> [String] {
        task.cancel()
        await task.value
        return compare()
    }

    private func compare() -> [String] {
        let received = state.value.withLock { state in
            defer { state.received = [] }
            return state.received
        }
        return received.compactMap { value in
            last.withLock { last -> String? in
                guard value != last.value else { return "\(name) has got a value twice." }
                let position = expected.withLock { expected in
                    expected[last.position...].firstIndex(of: value)
                }
                last.value = value
                guard let position else {
                    return "\(name) has got a value of no version, or of an older one."
                }
                last.position = position
                return nil
            }
        }
    }
}
