#if Macros && Requests
import ServerTestKit

extension ServerProcess {
    /// Starts the server on the loopback address; without a port, on a free one.
    convenience init(store path: String, port: UInt16 = 0, _ arguments: [String] = []) throws {
        let seconds = "\(Self.deadline.components.seconds)"
        let deadlines = ["--shutdown-deadline", seconds, "--idle-timeout", seconds]
        // Of an option that is given twice, the last one counts.
        try self.init(
            "NotesServer", ["--path", path, "--port", "\(port)"] + deadlines + arguments)
    }
}
#endif
