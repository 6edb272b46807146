import Foundation
import Testing

/// A source file that is compiled on its own, and what it says about itself.
///
/// A program that must not compile names each error in a comment below the line of the error:
///
/// ```swift
/// kept = try User.create(in: context)
/// // expected-error: mutation of captured var 'kept'
/// ```
struct Program: Sendable {
    /// An error that the compiler must give: its line, and a part of its message.
    struct ExpectedError: Sendable, Equatable {
        let line: Int
        let text: String
    }

    let path: String
    /// Whether it declares entities of its own with the macro, in place of those of the support
    /// folder.
    let usesMacro: Bool
    /// The comment on the first line, which says what the program shows.
    let reason: String
    let expectedErrors: [ExpectedError]
    /// The options of the compiler beside those of every program, from a comment
    /// `// options: -default-isolation MainActor`.
    let options: [String]

    init(path: String) throws {
        self.path = path
        usesMacro = path.split(separator: "/").dropLast().last == "Macros"
        let lines = try String(contentsOfFile: path, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let first = lines.first ?? ""
        reason = first.hasPrefix("// ") ? String(first.dropFirst(3)) : ""
        expectedErrors = Self.expectedErrors(in: lines)
        let mark = "// options: "
        let given = lines.first { $0.hasPrefix(mark) }?.dropFirst(mark.count) ?? ""
        options = given.split(separator: " ").map(String.init)
    }

    private static func expectedErrors(in lines: [String]) -> [ExpectedError] {
        let mark = "// expected-error: "
        var errors: [ExpectedError] = []
        var lineOfCode = 0
        for (index, line) in lines.enumerated() {
            if line.hasPrefix(mark) {
                errors.append(
                    ExpectedError(line: lineOfCode, text: String(line.dropFirst(mark.count))))
            } else {
                lineOfCode = index + 1
            }
        }
        return errors
    }
}

extension Program: CustomTestStringConvertible {
    /// The folder and the name of the file.
    var testDescription: String {
        path.split(separator: "/").suffix(2).joined(separator: "/")
    }
}

extension Program {
    /// The programs in a folder beside the tests; those that need the macro only where it is built.
    static func all(in folder: String) throws -> [Program] {
        let root = SourceFolders.folder(folder)
        let files = try FileManager.default.subpathsOfDirectory(atPath: root)
            .filter { $0.hasSuffix(".swift") }
        guard !files.isEmpty else { throw HarnessError("There is no program in \(root).") }
        return try files.sorted().map { try Program(path: root + "/" + $0) }
            .filter { hasMacros || !$0.usesMacro }
    }

    #if Macros
    private static let hasMacros = true
    #else
    private static let hasMacros = false
    #endif
}
