import Foundation
import ReliabilityKit
import SkiathosLocks

/// The Swift compiler, as it is run for a user of the package.
struct Compiler: Sendable {
    /// What came of compiling a program.
    struct Outcome: Sendable {
        var isSuccess: Bool
        var output: String
    }

    /// The one that all tests use, or why there is none.
    static let shared = Result {
        try Compiler(
            searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "", BuildProducts())
    }

    private let executable: String
    private let options: [String]
    private let optionsForMacros: [String]
    private let entities: [String]

    /// Looks for the compiler in the folders of a search path.
    init(searchPath: String, _ products: BuildProducts) throws {
        let found = searchPath.split(separator: ":").map { $0 + "/swiftc" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else {
            throw HarnessError("There is no swiftc in the search path \"\(searchPath)\".")
        }
        executable = found
        // As in a user's package: no upcoming feature. Races are found in passes that come after
        // type-checking; "-emit-sil" runs them, and makes no code.
        options =
            [
                "-swift-version", "6", "-parse-as-library", "-module-name", "Program",
                "-diagnostic-style=llvm", "-no-color-diagnostics", "-I", products.modules,
                "-module-cache-path", products.moduleCache, "-wmo", "-emit-sil", "-o", "/dev/null",
            ] + products.moduleMaps.flatMap { ["-Xcc", "-fmodule-map-file=" + $0] }
        optionsForMacros = ["-load-plugin-executable", products.macroPlugin + "#SkiathosMacros"]
        entities = try SourceFolders.support()
    }

    /// Compiles a program, together with the entities of the support folder unless it makes its
    /// own.
    func compile(_ program: Program) async throws -> Outcome {
        let arguments =
            options + program.options + [program.path]
            + (program.usesMacro ? optionsForMacros : entities)
        return try await withThrowingContinuation { continuation in
            Self.queue.addOperation {
                continuation.resume(with: Result { try run(arguments) })
            }
        }
    }

    // Two at a time, on threads that may block: each compiler fills a core, and the threads of
    // Swift's own pool are needed by the other tests.
    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 2
        return queue
    }()

    private func run(_ arguments: [String]) throws -> Outcome {
        // The compiler leaves folders behind in what it takes for the folder of temporary files.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skiathos-misuse-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // A file takes any amount of output, where a pipe would fill up and stop the compiler.
        let log = folder.appendingPathComponent("log")
        try Data().write(to: log)
        let handle = try FileHandle(forWritingTo: log)
        let process = try SpawnedProcess(
            [executable] + arguments, environment: ["TMPDIR": folder.path],
            SpawnedProcess.Streams(
                output: handle.fileDescriptor, errors: handle.fileDescriptor))
        let status = process.wait()
        try handle.close()
        let output = try String(contentsOf: log, encoding: .utf8)
        return Outcome(isSuccess: status.code == 0, output: output)
    }
}
