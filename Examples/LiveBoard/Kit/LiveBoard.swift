#if Macros && Hummingbird
package import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import Skiathos
import SkiathosLifecycle
import Synchronization

/// Serves a task board that every open page shows as it is, until it gets a stop signal.
package struct LiveBoard: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "LiveBoard",
        abstract: "Serves a task board, live in every browser, until SIGTERM or SIGINT.",
        discussion: """
            Stopping ends the streams of the open pages, which connect again as soon as the server \
            is back, and then closes the store. The exit code is 0 if nothing was left undone, \
            \(EX_TEMPFAIL) if another process has the store open, and 1 if the store cannot be opened \
            or the port is taken.
            """)

    @Option(help: "The file of the store.")
    var path = "board.sqlite"

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 chooses a free one.")
    var port = 8080

    package init() {}

    package func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must lie between 0 and 65535.")
        }
    }

    package func run() async throws {
        let logger = Logger(label: "board")
        // Before the group, whose services start all at the same time.
        let dal = try await open()
        let host = host
        let isListening = Atomic(false)
        let application = try makeApplication(dal, host: host, port: port, logger: logger) { port in
            isListening.store(true, ordering: .relaxed)
            say("Listening on http://\(host):\(port)")
        }
        var group = ServiceGroupConfiguration(services: [application], logger: logger)
        // Longer than the store's deadline.
        group.maximumGracefulShutdownDuration = .seconds(15)
        group.maximumCancellationDuration = .seconds(10)
        do {
            try await ServiceGroup(configuration: group)
                .runUntilTerminated(hurrying: dal, logger: logger)
        } catch  where !isListening.load(ordering: .relaxed) {
            throw CannotListen(host: host, port: port, cause: error)
        }
        say("Stopped; the store is closed.")
    }

    private func open() async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.shutdownDeadline = .seconds(5)
        do {
            return try await DataAccessLayer.open(
                .sqlite(path), entities: Card.self, configuration: configuration)
        } catch let error as StoreError where error.code == .storeInUse {
            FileHandle.standardError.write(Data("Error: \(error)\n".utf8))
            throw ExitCode(EX_TEMPFAIL)
        }
    }
}

/// The server could not be started.
private struct CannotListen: Error, CustomStringConvertible {
    let host: String
    let port: Int
    let cause: any Error

    var description: String {
        "The server cannot listen on \(host):\(port). Choose another --port or --host. The system says: \(cause)"
    }
}

/// Prints a line at once, also into a pipe; one that is not read any more is no reason to fail.
private func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}
#endif
