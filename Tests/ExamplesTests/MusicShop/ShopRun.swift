#if Macros
import Foundation
import GRDB
import SkiathosTesting
import Testing

/// One directory with a store of the music shop, and the example that fills and asks it.
struct ShopRun {
    let directory: TemporaryDirectory
    private let command: Command

    init() throws {
        directory = try TemporaryDirectory()
        command = Command(
            executable: BuildDirectory.executable("MusicShop"), directory: directory.path)
    }

    /// Runs the example.
    func run(_ arguments: String...) async throws -> Outcome {
        try await command.run(["--store", "shop.sqlite"] + arguments)
    }

    /// Writes a file and imports it.
    func callAsFunction(_ file: String) async throws -> Outcome {
        try Data(file.utf8).write(to: URL(fileURLWithPath: directory.file("shop.json")))
        return try await run("--data", "shop.json", "1")
    }

    /// Asks the store in plain SQL.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        try DatabaseQueue(path: directory.file("shop.sqlite")).read(body)
    }

    /// A column of texts.
    func texts(_ sql: String) throws -> [String] {
        try read { try String.fetchAll($0, sql: sql) }
    }

    /// The columns of a table that its file knows, and its rows.
    func rows(of table: ShopTable) throws -> ([String], [[String: DatabaseValue]]) {
        try read { database in
            // The links have no ID in the file.
            let columns = try database.columns(in: table.name).map(\.name)
                .filter { table.names[$0] != "" }
            let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
            let rows = try Row.fetchAll(
                database, sql: "SELECT \(names) FROM \"\(table.name)\" ORDER BY id")
            let values = rows.map { row in
                Dictionary(uniqueKeysWithValues: columns.map { ($0, row[$0] as DatabaseValue) })
            }
            return (columns, values)
        }
    }

    /// All rows of all tables of the shop, as text.
    func content() throws -> [String: [String]] {
        try read { database in
            var content: [String: [String]] = [:]
            for table in ShopTable.all.map(\.name) {
                content[table] = try Row.fetchAll(
                    database, sql: "SELECT * FROM \"\(table)\" ORDER BY id"
                ).map { "\($0)" }
            }
            return content
        }
    }
}

/// What the example prints about one question with the options `--tabs` and `--costs`.
struct PrintedAnswer: Sendable {
    let name: String
    let columns: [String]
    let rows: [[String]]
    /// The statements that it took, and those that it was allowed.
    let statements: Int
    let budget: Int
    let rowsRead: Int

    /// Takes the output for all questions apart.
    static func all(in output: String) throws -> [PrintedAnswer] {
        try output.split(separator: #/(?m)^# /#).map { section in
            let lines = section.split(separator: "\n").map(String.init)
            let costs = try #require(
                lines.last?.wholeMatch(of: /(\d+) of (\d+) statements, (\d+) rows/))
            let cells = lines[1...].dropLast().map {
                $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            }
            return PrintedAnswer(
                name: lines[0], columns: cells[0], rows: Array(cells.dropFirst()),
                statements: try #require(Int(costs.1)), budget: try #require(Int(costs.2)),
                rowsRead: try #require(Int(costs.3)))
        }
    }
}
#endif
