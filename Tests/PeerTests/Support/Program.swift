#if Requests
import Foundation
import Testing

/// The programs of others that these tests talk to.
///
/// They run where `PEERS` is set, as `make test-peers` does, and each one that is missing is named.
enum Program: String, CaseIterable, Sendable {
    case nginx, squid, tinyproxy, httpbin, datasette

    static let areWanted = ProcessInfo.processInfo.environment["PEERS"] != nil

    /// Where it is; nil if it is not installed.
    var path: String? {
        let python = ProcessInfo.processInfo.environment["PEERS_PYTHON"].map { [$0] } ?? []
        let system = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]
        let directories = self == .httpbin || self == .datasette ? python : system
        // Of httpbin there is no program, only a module of the same Python.
        let name = self == .httpbin ? "python3" : rawValue
        return directories.map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    /// Those that can be run, found once, so that one that is missing is named once.
    private static let found: Set<Program> = {
        guard areWanted else { return [] }
        return Set(
            allCases.filter { program in
                let isThere = program.path != nil
                if !isThere {
                    print("There is no \(program.rawValue): make setup-peers installs it.")
                }
                return isThere
            })
    }()

    var isThere: Bool { Self.found.contains(self) }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test if `PEERS` is set and the program is installed.
    static func needs(_ program: Program) -> Self {
        .enabled(if: program.isThere, "make test-peers runs it where \(program) is installed.")
    }
}
#endif
