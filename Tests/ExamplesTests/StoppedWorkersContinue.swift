import Foundation
import GRDB
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct StoppedWorkersContinue {
    private let directory: TemporaryDirectory
    private let command: Command

    init() throws {
        directory = try TemporaryDirectory()
        command = Command(
            executable: BuildDirectory.executable("ShutdownSafe"), directory: directory.path)
    }

    #if Macros && Lifecycle
    @Test func `a worker that is stopped twice by SIGTERM has lost nothing that it counted`()
        async throws
    {
        var (output, counted) = ("", 0)
        for _ in 1...3 {
            let outcome = try await stop(after: counted)
            #expect(outcome.exitCode == 0)
            #expect(!outcome.wasKilled)
            let lines = outcome.output.split(separator: "\n")
            try #require(lines.count == 3)
            #expect(lines[0] == "\(counted) so far")
            let last = try #require(lines[1].wholeMatch(of: /counted to (\d+)/))
            counted = try #require(Int(last.1))
            #expect(steps == Array(1..<(counted + 1)))
            output += outcome.output
        }
        // The page shows two runs.
        let blocks = try Document("Examples/README.md").blocks(under: "ShutdownSafe")
        let page = try #require(blocks.first { $0.language == "text" }).text
        #expect(Self.shape(of: output).starts(with: Self.shape(of: page)))
        #expect(blocks.first?.text.split(separator: "\n").count == 2)
    }

    /// Starts the worker, and has it stopped when it has counted on.
    private func stop(after count: Int) async throws -> Outcome {
        let process = try RunningProcess(command, [])
        // A new row shows that the worker runs, and that signals are received. Without a WAL the store
        // is not open yet, which a reader might disturb.
        let path = directory.file("steps.sqlite")
        #expect(
            await happens {
                Self.size(of: path + "-wal") > 0 && (Self.steps(in: path)?.count ?? 0) > count
            })
        #expect(kill(process.id, SIGTERM) == 0)
        return try await process.outcome()
    }

    private static func size(of path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    private var steps: [Int]? { Self.steps(in: directory.file("steps.sqlite")) }

    /// The numbers in a store, in their order; `nil` if there is none yet.
    private static func steps(in path: String) -> [Int]? {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: path, configuration: configuration)
        return try? queue?.read {
            try Int.fetchAll($0, sql: "SELECT number FROM step ORDER BY number")
        }
    }

    /// Lines without what is different in each run.
    private static func shape(of text: String) -> [String] {
        text.split(separator: "\n").map {
            String($0).replacing(/[0-9.e-]*[0-9]/, with: "…")
        }
    }
    #else
    @Test func `a worker without its traits says what it needs`() async throws {
        let outcome = try await command.run([])
        #expect(outcome.exitCode == 0)
        #expect(
            outcome.output
                == "ShutdownSafe needs the traits Macros and Lifecycle: swift run --traits Macros,Lifecycle ShutdownSafe\n"
        )
    }
    #endif
}
