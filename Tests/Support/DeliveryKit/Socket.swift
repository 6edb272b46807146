#if RequestCore
#if canImport(Glibc)
import Foundation
import Glibc

/// A connection, whose calls block the thread.
struct Socket: Sendable {
    let descriptor: Int32

    private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)

    private static func withAddress<R>(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
    ) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Connects to a port of this machine; nil if no process listens.
    static func connect(_ port: UInt16) -> Socket? {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return nil }
        guard withAddress(port, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            close(descriptor)
            return nil
        }
        return Socket(descriptor: descriptor)
    }

    /// Listens on a free port of this machine.
    static func listen() -> (socket: Socket, port: UInt16)? {
        let descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        guard descriptor >= 0, withAddress(0, { bind(descriptor, $0, $1) }) == 0,
            Glibc.listen(descriptor, 128) == 0,
            withUnsafeMutablePointer(
                to: &address,
                { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        getsockname(descriptor, $0, &length)
                    }
                }) == 0
        else { return nil }
        return (Socket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
    }

    /// The next connection; nil when the socket was shut down.
    func accept() -> Socket? {
        let descriptor = Glibc.accept(self.descriptor, nil, nil)
        return descriptor >= 0 ? Socket(descriptor: descriptor) : nil
    }

    /// The next bytes; nil at the end.
    func read() -> Data? {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    /// Writes all bytes, as far as the peer receives them.
    @discardableResult
    func write(_ data: Data) -> Bool {
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads until an empty line has come; nil if the connection ends before.
    func readHead() -> (lines: [String], rest: Data)? {
        var data = Data()
        let end = Data("\r\n\r\n".utf8)
        while true {
            if let range = data.range(of: end) {
                let text = String(decoding: data[..<range.lowerBound], as: UTF8.self)
                return (text.components(separatedBy: "\r\n"), Data(data[range.upperBound...]))
            }
            guard data.count < 1 << 16, let piece = read() else { return nil }
            data.append(piece)
        }
    }

    /// Ends both directions, so that a blocked read or accept returns.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func end() { close(descriptor) }
}
#endif
#endif
