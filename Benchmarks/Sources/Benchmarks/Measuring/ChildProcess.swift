import Foundation

/// Another process, which Foundation would start more slowly and less evenly.
enum ChildProcess {
    struct Result {
        /// What it returned; none if a signal has ended it.
        let code: Int32?
        /// What it has written to both of its outputs.
        let output: String
        /// From the call that starts it to the first byte of output.
        let secondsToFirstByte: Double
    }

    /// Runs a process to its end.
    ///
    /// - Parameter words: The path of the executable and its arguments.
    static func run(_ words: [String]) throws -> Result {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw BenchmarkError("No pipe could be made.") }
        defer { close(ends[0]) }
        let start = ContinuousClock.now
        let id: pid_t
        do {
            defer { close(ends[1]) }
            id = try spawn(words, output: ends[1], other: ends[0])
        }
        var bytes: [UInt8] = []
        var first: ContinuousClock.Instant?
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            first = first ?? .now
            bytes += buffer.prefix(count)
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return Result(
            code: status & 0x7f == 0 ? (status >> 8) & 0xff : nil,
            output: String(decoding: bytes, as: UTF8.self),
            secondsToFirstByte: ((first ?? .now) - start) / .seconds(1))
    }

    /// The path of an executable that the shell would find, if there is one.
    static func find(_ name: String) -> String? {
        let directories = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return directories.split(separator: ":").map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func spawn(_ words: [String], output: Int32, other: Int32) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        posix_spawn_file_actions_addclose(&actions, other)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for text in arguments { free(text) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, words[0], &actions, nil, &arguments, environ)
        guard code == 0 else {
            throw BenchmarkError("\(words[0]) could not be started: error \(code).")
        }
        return id
    }
}
