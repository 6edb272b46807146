#if Macros
import Foundation
import Testing

/// Entities with a column of every name that the language or the generated code has a use for.
@Suite struct NameMatrixTests {
    @Test func `a column may have the name of any keyword and of nearly any generated member`()
        async throws
    {
        let (program, outcome) = try await compile(Self.possible)
        #expect(program.objectionsToAcceptance(outcome) == [])
    }

    @Test func `a column with an impossible name is refused in one sentence`() async throws {
        let (program, outcome) = try await compile(Self.impossible)
        let errors = Diagnostic.all(in: outcome.output).filter { $0.kind == .error }
        for (index, name) in Self.impossible.enumerated() {
            // Lines are counted from one, and two stand above the first entity.
            let own = errors.filter { $0.path == program.path && $0.line == 3 + 2 * index }
            #expect(own.count == 1, "\(name): \(own.map(\.message))")
            #expect(own.allSatisfy { $0.message.contains("another name") || name == "ID" })
        }
        #expect(errors.allSatisfy { $0.path == program.path })
    }

    private func compile(_ names: [String]) async throws -> (Program, Compiler.Outcome) {
        let entities = names.enumerated().map { index, name in
            """
            @Entity struct E\(index) { var `\(name)` = 0; var another = "" }
            func use\(index)(_ c: WriteContext) throws { \
            let o = try E\(index).create(in: c) { $0.`\(name)` = 1 }; o.`\(name)` += 1; \
            print(o.`\(name)`, try E\(index).all(where: { $0.`\(name)` > 1 }, in: c)) }
            """
        }
        // Programs in a folder of this name are compiled with the macro.
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("skiathos-names-" + UUID().uuidString)
        let file = folder.appendingPathComponent("Macros/Names.swift")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try ("// Names of columns.\nimport Skiathos\n" + entities.joined(separator: "\n"))
            .write(to: file, atomically: true, encoding: .utf8)
        let program = try Program(path: file.path)
        return (program, try await Compiler.shared.get().compile(program))
    }

    private static let impossible = [
        "Type", "Protocol", "self", "RawID", "Columns", "ID", "Swift", "Skiathos", "value",
        "isDeleted", "changedColumns", "delete", "discardChanges", "related",
    ]

    private static let possible = (keywords + members).split(separator: " ").map(String.init)

    private static let keywords = """
        associatedtype class deinit enum extension fileprivate func import init inout internal let \
        open operator private protocol public rethrows static struct subscript typealias var break \
        case catch continue default defer do else fallthrough for guard if in repeat return throw \
        switch where while Any as await false is nil Self super throws true try async actor some \
        get set willSet didSet none mutating lazy optional weak isolated nonisolated package prefix \
        dynamic copy
        """

    private static let members = """
         columns schema ColumnTypes column row keyPath parameters position changed other bind \
        validate managed hash description unit current baseline state insert read Column Coding \
        EntityID Int String Bool Optional Sendable Foundation Entity Managed create find all count \
        update query order select sum min grouped end rawValue rowid oid table name key
        """
}
#endif
