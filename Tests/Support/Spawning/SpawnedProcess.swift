import Foundation
import SkiathosLocks
import SkiathosPlatformLibC

/// A process of an executable, which must be waited for.
///
/// On Linux it is started by the system's own call: Foundation reads beyond the end of a buffer
/// when it starts a process, as the address sanitizer shows, which crashes now and then.
package struct SpawnedProcess: Sendable {
    /// How a process has ended.
    package struct Status: Sendable, Hashable {
        /// What it returned, or the signal that has ended it.
        package let code: Int32
        /// Whether a signal has ended it.
        package let wasKilled: Bool

        package init(code: Int32, wasKilled: Bool) {
            self.code = code
            self.wasKilled = wasKilled
        }
    }

    /// It could not be started.
    package struct NotStarted: Error {
        /// The executable.
        package let path: String
        /// The system's number of the error.
        package let code: Int32

        /// Makes the error of a program that could not be started.
        package init(path: String, code: Int32) {
            self.path = path
            self.code = code
        }
    }

    /// Where a process reads and writes, as file descriptors; nowhere without one.
    package struct Streams: Sendable {
        package var input: Int32?
        package var output: Int32?
        /// Never the standard error of this process; see ``SpawnedProcess/relayedErrors``.
        package let errors: Int32?

        package init(input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil) {
            precondition(
                errors != STDERR_FILENO,
                "A process would keep the standard error of this one open. Pass SpawnedProcess.relayedErrors."
            )
            self.input = input
            self.output = output
            self.errors = errors
        }
    }

    /// What is written to it appears in the standard error of this process.
    ///
    /// If this process crashes, others that it has started go on. With its own standard error they
    /// would keep that open, and a program that reads it to the end (`swift test`) would wait for them.
    package static let relayedErrors: Int32 = {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0, "A pipe for the errors of processes could not be made.")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let source = ends[0]
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(source, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                FileHandle.standardError.write(Data(buffer[..<count]))
            }
        }
        return ends[1]
    }()

    /// The number by which the system knows it, until it was waited for.
    package let id: Int32

    #if canImport(Glibc)
    /// Starts a process.
    ///
    /// - Parameters:
    ///   - words: The path of the executable and its arguments.
    ///   - directory: Its working directory; that of this process without one.
    ///   - environment: What its environment has beside that of this process.
    ///   - streams: Where it reads and writes.
    package init(
        _ words: [String], directory: String? = nil, environment: [String: String] = [:],
        _ streams: Streams = Streams()
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source, flags) in [
            (STDIN_FILENO, streams.input, O_RDONLY), (STDOUT_FILENO, streams.output, O_WRONLY),
            (STDERR_FILENO, streams.errors, O_WRONLY),
        ] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", flags, 0)
            }
        }
        _ = Self.closeOthers?(&actions, 3)
        // The call that would change the directory is not among those that Swift sees.
        let change = ["/bin/sh", "-c", #"cd "$1" && shift && exec "$@""#, "sh"]
        let all = directory.map { change + [$0] + words } ?? words
        id = try Self.spawn(all, environment, &actions)
    }

    private typealias CloseOthers =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes, in the child, all descriptors from a number on.
    ///
    /// The sockets of SwiftNIO are passed on to programs that are started: as long as one of these runs,
    /// the other end of a connection does not learn that it was closed. Not among the calls that Swift
    /// sees; `nil` before version 2.34 of the C library.
    private static let closeOthers: CloseOthers? =
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
        .map { unsafeBitCast($0, to: CloseOthers.self) }

    private static func spawn(
        _ words: [String], _ environment: [String: String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of a pool block signals, which a child would inherit.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            merged.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw NotStarted(path: words[0], code: code) }
        return id
    }

    /// Waits for its end, blocking the thread; called once.
    package func wait() -> Status {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return Status(
            code: signal == 0 ? (status >> 8) & 0xff : signal, wasKilled: signal != 0)
    }
    #else
    private let process: Process

    /// Starts a process.
    package init(
        _ words: [String], directory: String? = nil, environment: [String: String] = [:],
        _ streams: Streams = Streams()
    ) throws {
        func handle(_ descriptor: Int32?) -> FileHandle {
            descriptor.map { FileHandle(fileDescriptor: $0, closeOnDealloc: false) } ?? .nullDevice
        }
        process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
        process.standardInput = handle(streams.input)
        process.standardOutput = handle(streams.output)
        process.standardError = handle(streams.errors)
        try process.run()
        id = process.processIdentifier
    }

    /// Waits for its end, blocking the thread; called once.
    package func wait() -> Status {
        process.waitUntilExit()
        return Status(
            code: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal)
    }
    #endif

    /// Waits for its end on a thread of its own; called once.
    package func end() async -> Status {
        await withContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: wait()) }
        }
    }
}
