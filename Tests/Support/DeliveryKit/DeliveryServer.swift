#if RequestCore
#if canImport(Glibc)
import Foundation
import SkiathosLocks
import ReliabilityKit
import Synchronization
import TestTools

/// A server that writes down what it has done, and treats requests badly now and then.
package final class DeliveryServer: Sendable {
    /// A request that was carried out.
    package struct Arrival: Sendable, Hashable {
        package let path: String
        package let idempotencyKey: String
    }

    /// What happens to a request.
    private enum Treatment {
        case fine
        /// It is carried out, and its answer is lost.
        case answerLost
        case busy
        case cut
        case garbage
    }

    private struct State {
        var arrivals: [Arrival] = []
        var random: SeededNumbers
        var isKind = false
        var requests = 0
        /// The caller that waits for a number of requests, and the number.
        var waiting: (number: Int, continuation: Continuation<Void, Never>)?
        /// Whether the process that sends requests has ended.
        var isAlone = false
    }

    private let socket: Socket
    private let state: Lock<State>
    /// The port that it listens on.
    package let port: UInt16

    /// Starts a server.
    package init(seed: UInt64) throws {
        guard let (socket, port) = Socket.listen() else { throw CocoaError(.fileReadUnknown) }
        (self.socket, self.port) = (socket, port)
        state = Lock(State(random: SeededNumbers(seed: seed)))
        Thread.detachNewThread { [self] in
            while let connection = socket.accept() {
                Thread.detachNewThread { self.serve(connection) }
            }
            socket.end()
        }
    }

    /// What was carried out, in its order.
    package var arrivals: [Arrival] { state.withLock { $0.arrivals } }
    /// How many requests came, carried out or not.
    package var requests: Int { state.withLock { $0.requests } }

    /// Returns when so many more requests have come, or the process that sends them has ended.
    ///
    /// Only one call at a time.
    package func wait(forMoreRequests count: Int) async {
        await withContinuation { continuation in
            let isOver = state.withLock { state in
                if count == 0 || state.isAlone { return true }
                state.waiting = (state.requests + count, continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// A process begins to send requests.
    package func processBegins() { state.withLock { $0.isAlone = false } }

    /// The process that sends requests has ended.
    package func processEnds() {
        let waiting = state.withLock { state in
            state.isAlone = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.continuation.resume()
    }

    /// Treats all requests well from now on.
    package func beKind() { state.withLock { $0.isKind = true } }

    /// Accepts no more connections.
    package func stop() { socket.shutDown() }

    private func serve(_ connection: Socket) {
        defer { connection.end() }
        noteRequest()
        let treatment = state.withLock { state -> Treatment in
            guard !state.isKind else { return .fine }
            return switch state.random.below(100) {
            case ..<72: .fine
            case ..<82: .answerLost
            case ..<90: .busy
            case ..<95: .cut
            default: .garbage
            }
        }
        guard treatment != .cut, let head = connection.readHead(), isWhole(head, connection) else {
            return
        }
        switch treatment {
        case .busy: connection.write(answer("503 Service Unavailable"))
        case .garbage: connection.write(Data("\u{1}\u{2} what?\r\n\r\n".utf8))
        default:
            record(head.lines)
            if treatment == .fine { connection.write(answer("204 No Content")) }
        }
    }

    private func noteRequest() {
        let waiting = state.withLock { state -> Continuation<Void, Never>? in
            state.requests += 1
            guard let waiting = state.waiting, state.requests >= waiting.number else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
    }

    private func answer(_ status: String) -> Data {
        Data("HTTP/1.1 \(status)\r\nConnection: close\r\n\r\n".utf8)
    }

    /// Reads the body; false if its sender has died over it.
    private func isWhole(_ head: (lines: [String], rest: Data), _ connection: Socket) -> Bool {
        let length = value("Content-Length", head.lines).flatMap { Int($0) } ?? 0
        var count = head.rest.count
        while count < length, let piece = connection.read() { count += piece.count }
        return count >= length
    }

    private func record(_ lines: [String]) {
        let words = lines[0].split(separator: " ")
        let arrival = Arrival(
            path: words.count > 1 ? String(words[1]) : "",
            idempotencyKey: value("Idempotency-Key", lines) ?? "")
        state.withLock { $0.arrivals.append(arrival) }
    }

    private func value(_ name: String, _ lines: [String]) -> String? {
        let prefix = "\(name.lowercased()):"
        return lines.first { $0.lowercased().hasPrefix(prefix) }
            .map { $0.dropFirst(prefix.count).trimmingCharacters(in: .whitespaces) }
    }
}
#endif
#endif
