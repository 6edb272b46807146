import Foundation
import Testing

/// A sign of a protocol with a combining mark behind it is another `Character`, but the same byte.
struct ProtocolTextsAreReadByBytes {
    /// Calls that compare characters where they are given a text.
    private static let calls = [
        "hasPrefix(", "hasSuffix(", ".split(separator: \"", ".contains(\"", ".replacing(\"",
        ".firstIndex(of: \"", ".lastIndex(of: \"", ".starts(with: \"", ".first == \"",
        ".last == \"",
        ".ranges(of: \"", ".firstRange(of: \"", ".components(separatedBy: \"", ".trimmingPrefix(\"",
        "{ $0 == \"", "{ $0 != \"", ": Character", "[Character]",
    ]

    /// The lines of a source that have such a call, and are neither comments nor about names in Swift.
    private static func findings(in source: String) -> [String] {
        source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { line in
                let isOther =
                    line.hasPrefix("//") || line.contains(".utf8") || line.contains("\\(")
                    || line.contains(".columns.contains(\"")
                return !isOther && calls.contains { line.contains($0) }
            }
    }

    @Test func `no source of requests compares characters`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        var count = 0
        for target in ["DataRequestCore", "DataRequestService", "DataRequestPersistence"] {
            let directory = sources.appending(path: target)
            let files = try #require(
                FileManager.default.enumerator(at: directory, includingPropertiesForKeys: nil))
            for case let file as URL in files where file.pathExtension == "swift" {
                count += 1
                let found = Self.findings(in: try String(contentsOf: file, encoding: .utf8))
                #expect(
                    found.isEmpty,
                    "\(file.lastPathComponent) compares characters; see ProtocolText.swift.")
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        #"var segments = path.split(separator: "/", omittingEmptySubsequences: false)"#,
        ##"let shown = path.prefix { $0 != "?" && $0 != "#" }"##,
        #"while path.hasSuffix("/") { path.removeLast() }"#,
        #"private static func split(_ text: String, at separator: Character) -> [String] {"#,
    ])
    func `a look at characters is found`(_ line: String) {
        #expect(Self.findings(in: line).count == 1)
    }
}
