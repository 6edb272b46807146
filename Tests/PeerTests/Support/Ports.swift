#if Requests
import Glibc

/// Ports of this machine.
enum Ports {
    struct NoPort: Error {}

    /// A port that nothing listened at a moment ago.
    static func free() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        guard code == 0 else { throw NoPort() }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Whether a connection is accepted before long.
    static func accepts(_ port: Int) async -> Bool {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            if isOpen(port) { return true }
            // Other programs do not report when they have begun to listen.
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    private static func isOpen(_ port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
#endif
