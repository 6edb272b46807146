#if RequestCore
import PlatformLibC

/// What a call of the system has refused, as its number.
struct SystemFailure: Error, CustomStringConvertible {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }

    /// The system's words for it.
    var description: String { "\(String(cString: strerror(code))) (\(code))" }

    var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

/// Calls again what a signal has interrupted, and throws what the system refuses.
@discardableResult
func system<Number: FixedWidthInteger>(_ call: () -> Number) throws -> Number {
    while true {
        let result = call()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemFailure(code) }
    }
}

// Under these names they can be called where a method has the name of the system's function.

/// Opens a file; one that is made is for its owner alone.
func openFile(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
}

/// Makes a file with the mode that the umask gives it.
func openNewFile(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
}

func closeFile(_ descriptor: Int32) { close(descriptor) }

func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
#endif
