#if RequestCore
#if canImport(Glibc)
import Foundation
import SkiathosLocks
import Synchronization

/// A server with a catalogue in pages, which changes as a whole.
package final class CatalogueServer: Sendable {
    private struct State {
        var version = 0
        /// The pages that were asked for, but for those that had not changed.
        var pages: [Int] = []
        var unchanged = 0
    }

    private static let pageCount = 30
    private static let pageSize = 50

    private let socket: Socket
    private let state = Lock(State())
    /// The port that it listens on.
    package let port: UInt16

    /// Starts a server.
    package init() throws {
        guard let (socket, port) = Socket.listen() else { throw CocoaError(.fileReadUnknown) }
        (self.socket, self.port) = (socket, port)
        Thread.detachNewThread { [self] in
            while let connection = socket.accept() {
                Thread.detachNewThread { self.serve(connection) }
            }
            socket.end()
        }
    }

    /// What the catalogue holds, by its tokens.
    package var items: [String: String] {
        let version = state.withLock { $0.version }
        return Dictionary(
            uniqueKeysWithValues: (0..<Self.pageCount).flatMap { Self.items(of: $0, version) })
    }

    /// The pages that were sent since the last time.
    package func takePages() -> [Int] {
        state.withLock { state in
            defer { state.pages = [] }
            return state.pages
        }
    }

    /// How often the whole was found unchanged.
    package var unchanged: Int { state.withLock { $0.unchanged } }

    /// Removes some items, restores others and changes the rest.
    package func change() { state.withLock { $0.version += 1 } }

    /// Accepts no more connections.
    package func stop() { socket.shutDown() }

    private static func items(of page: Int, _ version: Int) -> [(String, String)] {
        (page * pageSize..<(page + 1) * pageSize).filter { ($0 + version) % 10 != 0 }
            .map { ("t\($0)", "v\(version)-\($0 % 7)") }
    }

    private func serve(_ connection: Socket) {
        defer { connection.end() }
        guard let head = connection.readHead() else { return }
        let page = head.lines[0].firstMatch(of: /after=(\d+)/).flatMap { Int($0.1) } ?? 0
        let known = head.lines.first { $0.lowercased().hasPrefix("if-none-match:") }
        let (version, isUnchanged) = state.withLock { state in
            let isUnchanged = known?.hasSuffix("\"v\(state.version)\"") == true
            if isUnchanged { state.unchanged += 1 } else { state.pages.append(page) }
            return (state.version, isUnchanged)
        }
        guard !isUnchanged else {
            connection.write(
                Data("HTTP/1.1 304 Not Modified\r\nETag: \"v\(version)\"\r\n\r\n".utf8))
            return
        }
        connection.write(answer(page, version))
    }

    private func answer(_ page: Int, _ version: Int) -> Data {
        let items = Self.items(of: page, version).map {
            "{\"token\": \"\($0)\", \"key\": \"\($1)\"}"
        }
        let next = page + 1 < Self.pageCount ? "\"\(page + 1)\"" : "null"
        let body = "{\"items\": [\(items.joined(separator: ","))], \"next\": \(next)}"
        return Data(
            """
            HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: "v\(version)"\r
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """.utf8)
    }
}
#endif
#endif
