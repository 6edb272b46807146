#if RequestCore
import SkiathosPlatformLibC

/// The `errno` of a failed system call.
struct SystemFailure: Error, CustomStringConvertible {
    let code: Int32

    init(_ code: Int32 = errno) { self.code = code }

    /// The system's text for the number.
    var description: String { "\(String(cString: strerror(code))) (\(code))" }

    var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    var isFull: Bool { code == ENOSPC || code == EDQUOT }
}

/// Runs a system call, repeats it after `EINTR`, and throws its failure.
@discardableResult
func system<Number: FixedWidthInteger>(_ call: () -> Number) throws -> Number {
    while true {
        let result = call()
        if result != -1 { return result }
        let code = errno
        if code != EINTR { throw SystemFailure(code) }
    }
}

// These names can be called where a method has the name of the system's function.

/// Opens a file; a new one is accessible to its owner alone.
func openFile(_ path: String, _ flags: Int32) -> Int32 {
    open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
}

/// Makes a file with the mode of the umask.
func openNewFile(_ path: String) -> Int32 {
    open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
}

func closeFile(_ descriptor: Int32) { close(descriptor) }

func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
#endif
