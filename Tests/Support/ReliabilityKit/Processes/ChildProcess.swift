import Foundation
import SkiathosLocks
import SkiathosStore
import Synchronization

#if canImport(Glibc)
import Glibc

/// A process that follows a plan, and its output.
///
/// No other process is ever signalled: the identifier is used only while the process has not
/// been reaped.
package final class ChildProcess: Sendable {
    /// How it has ended.
    package enum End: Sendable, Hashable {
        case exited(Int32)
        case killed(Int32)
        /// It has taken longer than its time limit, and was killed for that.
        case timedOut
    }

    private struct State {
        var testimony = Testimony()
        var isReaped = false
        var end: (End, ContinuousClock.Instant)?
        var waiting: [(isMet: @Sendable (Testimony) -> Bool, resume: @Sendable (Bool) -> Void)] = []
    }

    private let id: pid_t
    private let state = Lock(State())

    /// How long a child may take unless it is told otherwise; on an idle machine it takes about a
    /// second.
    package static let patience = Duration.seconds(600)

    /// With which a child exits whose parent has ended.
    package static let codeOfOrphans: Int32 = 4

    /// The executable beside the running program.
    package static var executable: String {
        Bundle.main.bundleURL.appendingPathComponent("ReliabilityChild").path
    }

    /// Starts a child, which is killed if it has not ended within a time limit.
    package init(_ plan: ChildPlan, within limit: Duration = patience) throws {
        var ends: [Int32] = [-1, -1]
        // Closed from the beginning in all other processes that this one starts, which would hold
        // the end of the output up otherwise.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpawnedProcess.NotStarted(path: Self.executable, code: errno)
        }
        defer { close(ends[1]) }
        do {
            id = try SpawnedProcess(
                [Self.executable] + plan.arguments,
                SpawnedProcess.Streams(output: ends[1], errors: SpawnedProcess.relayedErrors)
            ).id
        } catch {
            close(ends[0])
            throw error
        }
        let (input, deadline) = (ends[0], ContinuousClock.now + limit)
        Thread.detachNewThread { self.listen(input, until: deadline) }
    }

    /// What it has said so far.
    package var testimony: Testimony { state.withLock { $0.testimony } }

    /// Sends it a signal, unless it has ended.
    ///
    /// - Returns: When it was sent.
    @discardableResult
    package func send(_ signal: Int32) -> ContinuousClock.Instant {
        state.withLock { state in
            let now = ContinuousClock.now
            if !state.isReaped { kill(id, signal) }
            return now
        }
    }

    /// Waits until what it has said meets a condition.
    ///
    /// - Returns: `false` if it has ended without that.
    @discardableResult
    package func wait(
        until isMet: @escaping @Sendable (Testimony) -> Bool
    ) async -> Bool {
        await withContinuation { continuation in
            let answer = state.withLock { state -> Bool? in
                if isMet(state.testimony) { return true }
                if state.end != nil { return false }
                state.waiting.append((isMet, { continuation.resume(returning: $0) }))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Waits until it has come to a point.
    @discardableResult
    package func wait(for point: ProtocolLine.Point) async -> Bool {
        await wait { $0.points.contains(point) }
    }

    /// Waits for its end, after which nothing more is said.
    package func end() async -> (how: End, when: ContinuousClock.Instant) {
        await wait { _ in false }
        return state.withLock { $0.end } ?? (.timedOut, .now)
    }

    /// Hears it out, on a thread of its own, and reaps it.
    private func listen(_ input: Int32, until deadline: ContinuousClock.Instant) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest: [UInt8] = []
        var isLate = false
        while true {
            var file = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
            // Not ready: the time is over, or a signal has come.
            if poll(&file, 1, 100) <= 0 {
                if ContinuousClock.now < deadline { continue }
                isLate = true
                send(SIGKILL)
            }
            let count = read(input, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += buffer[..<count]
            guard let end = rest.lastIndex(of: 10) else { continue }
            let lines = rest[...end].split(separator: 10).map {
                String(decoding: $0, as: UTF8.self)
            }
            rest.removeSubrange(...end)
            note { testimony in for line in lines { testimony.note(line) } }
        }
        close(input)
        var info = siginfo_t()
        waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT)
        let when = ContinuousClock.now
        var status: Int32 = 0
        state.withLock { state in
            state.isReaped = true
            waitpid(id, &status, 0)
        }
        let signal = status & 0x7f
        let how: End =
            isLate ? .timedOut : signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
        let waiting = state.withLock { state in
            state.end = (how, when)
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(false) }
    }

    private func note(_ change: (inout Testimony) -> Void) {
        let met = state.withLock { state in
            change(&state.testimony)
            let met = state.waiting.filter { $0.isMet(state.testimony) }
            state.waiting.removeAll { $0.isMet(state.testimony) }
            return met
        }
        for waiter in met { waiter.resume(true) }
    }
}
#endif
