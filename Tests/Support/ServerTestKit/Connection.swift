package import Foundation

/// A connection to the loopback address that speaks as much HTTP as the tests need.
///
/// Requests block, and none is ever sent twice, so that the tests know what has become of each.
package final class Connection: Sendable {
    /// Why there is no answer.
    package enum Failure: Error {
        /// No process listens.
        case refused
        /// Nothing has come for as long as `patience`.
        case silent
        /// The connection ended before the answer began.
        case unanswered
        /// The connection ended inside the answer.
        case torn
    }

    /// How long an answer may take, so that a test that gets none fails and does not hang.
    package static let patience = Duration.seconds(600)

    private let descriptor: Int32

    /// - Parameter receiveBuffer: How many bytes wait to be received; the system's choice unless
    ///   given.
    package init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            let size = socklen_t(MemoryLayout<Int32>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, size)
        }
        var limit = timeval(tv_sec: Int(Self.patience.components.seconds), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0, try ownPort() != port else { throw Failure.refused }
    }

    /// The port of this end.
    ///
    /// It is that of the other end where no process listens and the system has happened to choose the
    /// same port for this end, which connects a socket to itself.
    private func ownPort() throws -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        guard status == 0 else { throw Failure.refused }
        return UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }

    /// Sends a request and waits for its answer.
    package func send(
        _ method: String, _ path: String, body: Data? = nil, headers: [String: String] = [:]
    ) throws -> Answer {
        var request = Data("\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n".utf8)
        for (name, value) in headers { request += Data("\(name): \(value)\r\n".utf8) }
        if let body { request += Data("Content-Length: \(body.count)\r\n".utf8) }
        request += Data("\r\n".utf8) + (body ?? Data())
        try sendAll(request)
        return try Answer { try self.receive() }
    }

    /// Sends the bytes as they are.
    package func sendAll(_ bytes: Data) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure.unanswered }
            rest = rest.dropFirst(count)
        }
    }

    /// The next bytes, none at the end of the connection.
    package func receive() throws -> Data {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN { throw Failure.silent }
        return Data(buffer[..<max(0, count)])
    }

    /// Ends the connection, as a client does that goes away; threads that receive see its end.
    package func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
