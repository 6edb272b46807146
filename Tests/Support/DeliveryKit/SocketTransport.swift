#if RequestCore
#if canImport(Glibc)
package import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks

/// A transport with one connection and one thread for each request, which needs nothing but sockets.
package struct SocketTransport: HTTPTransport {
    private let port: UInt16

    /// Makes a transport to a port of this machine.
    package init(port: UInt16) { self.port = port }

    package func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        var body = Data()
        if let stream = try await request.body.open() {
            for try await piece in stream { body.append(piece) }
        }
        let path = request.url.path + (request.url.query.map { "?\($0)" } ?? "")
        var head = "\(request.method.rawValue) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for field in request.headers { head += "\(field.name.rawName): \(field.value)\r\n" }
        head += "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        let message = Data(head.utf8) + body
        return try await withThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try exchange(message, request.url) })
            }
        }
    }

    private func exchange(_ message: Data, _ url: URL) throws -> IncomingResponse {
        guard let socket = Socket.connect(port) else {
            throw DataRequestError(
                .connectionFailed, "No server listens on the port.", retry: .later)
        }
        defer { socket.end() }
        guard socket.write(message), let head = socket.readHead() else {
            throw DataRequestError(.connectionLost, "No answer came.", retry: .later)
        }
        let words = head.lines[0].split(separator: " ")
        guard words.count > 1, words[0] == "HTTP/1.1", let code = Int(words[1]) else {
            throw DataRequestError(.malformedResponse, "That is no HTTP.")
        }
        var headers: HTTPFields = [:]
        for line in head.lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, let name = HTTPField.Name(String(parts[0])) else { continue }
            headers[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        var body = head.rest
        while let piece = socket.read() { body.append(piece) }
        return IncomingResponse(
            url: url, status: .init(code: code), headers: headers, body: ByteStream(body))
    }

    package func shutDown() async throws {}
}
#endif
#endif
