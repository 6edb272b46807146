#if Macros && Requests
package import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import Skiathos
import SkiathosLifecycle

/// Serves notes over HTTP until it gets a stop signal.
package struct NotesServer: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "NotesServer",
        abstract: "Serves notes over HTTP until SIGTERM or SIGINT.",
        discussion: """
            Stopping answers the requests that have arrived, and then closes the store. The exit \
            code is 0 if nothing was left undone and no request was refused by the stop, which a second \
            signal makes likely, and \(EX_TEMPFAIL) if another process has the \
            store open.
            """)

    @Option(help: "The file of the store.")
    var path = "notes.sqlite"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 8080

    @Option(help: "How many writes may wait; further ones are answered 503.")
    var maximumWaitingWrites = 1_000

    @Option(help: "After how many seconds of silence in a request its client is given up.")
    var idleTimeout = 5

    @Option(
        help: "After how many seconds the store is closed when stopping, whatever it still does.")
    var shutdownDeadline = 5

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must lie between 0 and 65535.")
        }
        guard maximumWaitingWrites >= 0 else {
            throw ValidationError("--maximum-waiting-writes must not be negative.")
        }
        // A bound that leaves room for the deadlines of the group, which are multiples of it.
        for (option, seconds) in [
            ("--idle-timeout", idleTimeout), ("--shutdown-deadline", shutdownDeadline),
        ] where !(1...86_400).contains(seconds) {
            throw ValidationError("\(option) must lie between 1 and 86400 seconds.")
        }
    }

    package func run() async throws {
        let logger = Logger(label: "notes")
        // Before the group, whose services start all at the same time.
        let dal = try await open()
        let host = host
        let refusals = Refusals()
        let application = makeApplication(
            dal, host: host, port: port, idleTimeout: idleTimeout, logger: logger,
            refusals: refusals
        ) { port in
            say("Listening on http://\(host):\(port)")
        }
        var group = ServiceGroupConfiguration(services: [application], logger: logger)
        // Longer than the store's deadline; all together, with the deadline that is the default, less
        // than the 30 s that process managers commonly allow.
        group.maximumGracefulShutdownDuration = .seconds(3 * shutdownDeadline)
        group.maximumCancellationDuration = .seconds(2 * shutdownDeadline)
        try await ServiceGroup(configuration: group)
            .runUntilTerminated(hurrying: dal, logger: logger)
        say("Stopped; the store is closed.")
        guard refusals.count == 0 else {
            complain("\(refusals.count) requests were answered 503, since the server was stopping.")
            throw ExitCode.failure
        }
    }

    private func open() async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.shutdownDeadline = .seconds(shutdownDeadline)
        configuration.maximumWaitingWrites = maximumWaitingWrites
        do {
            return try await DataAccessLayer.open(
                .sqlite(path), entities: Note.self, configuration: configuration)
        } catch let error as StoreError where error.code == .storeInUse {
            complain("\(error)")
            throw ExitCode(EX_TEMPFAIL)
        }
    }
}

/// Prints an error.
private func complain(_ message: String) {
    FileHandle.standardError.write(Data("Error: \(message)\n".utf8))
}

/// Prints a line at once, also into a pipe.
private func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
}
#endif
