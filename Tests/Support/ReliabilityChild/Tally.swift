import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Which writes were asked for, and what has become of them.
final class Tally: Sendable {
    private struct State {
        var issued = 0
        var told = 0
        /// How many completions have not been called.
        var uncalled = 0
        /// Whether all callers were notified, and nothing else may be requested.
        var isOver = false
        var waiting: [Continuation<Void, Never>] = []
    }

    private let state = Lock(State())

    /// How many writes were asked for.
    var issued: Int { state.withLock { $0.issued } }

    /// How many completions have not been called.
    var uncalled: Int { state.withLock { $0.uncalled } }

    /// A write is to be asked for; returns whether it may be.
    func issue(_ form: ProtocolLine.Form) -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.issued += 1
            if form.hasCompletion { state.uncalled += 1 }
            return true
        }
    }

    /// It is acknowledged.
    func done(_ form: ProtocolLine.Form, _ level: Acknowledgement, _ number: Int) {
        ProtocolLine.done(form, level, number).say()
        if form.isWrite { tell(form) }
    }

    /// It was refused.
    func refused(_ form: ProtocolLine.Form, _ error: any Error) {
        let reason =
            switch error {
            case let error as DataAccessError: "\(error.code)"
            case let error as StoreError: "\(error.code)"
            default: "\(type(of: error))"
            }
        ProtocolLine.refused(form, reason.split(separator: " ").joined(separator: "-")).say()
        tell(form)
    }

    /// Waits until a caller was notified of each write; then nothing else is requested.
    func waitUntilToldAll() async {
        await withContinuation { continuation in
            let isOver = state.withLock { state in
                if state.told < state.issued { state.waiting.append(continuation) }
                state.isOver = state.told == state.issued
                return state.isOver
            }
            if isOver { continuation.resume() }
        }
    }

    private func tell(_ form: ProtocolLine.Form) {
        let waiting = state.withLock { state -> [Continuation<Void, Never>] in
            state.told += 1
            if form.hasCompletion { state.uncalled -= 1 }
            guard state.told == state.issued, !state.waiting.isEmpty else { return [] }
            state.isOver = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Counts from 0, on any thread.
final class Counter: Sendable {
    private let value = Atomic(-1)

    func next() -> Int { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
