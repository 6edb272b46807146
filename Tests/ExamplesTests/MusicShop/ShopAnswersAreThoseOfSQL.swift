#if Macros
import GRDB
import Testing

struct ShopAnswersAreThoseOfSQL {
    /// The answers to all questions, asked once, and those of plain SQL by the names of questions.
    private struct Session: Sendable {
        let answers: [PrintedAnswer]
        let expected: [String: [[String]]]
        /// How many artists, albums and tracks there are.
        let catalogueSize: Int
    }

    private static let session = Task {
        let shop = try ShopRun()
        let outcome = try await shop.run("--tabs", "--costs")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
        return try shop.read { database in
            var expected: [String: [[String]]] = [:]
            for question in ExpectedAnswer.all {
                expected[question.name] = try Row.fetchAll(database, sql: question.sql).map { row in
                    Array(row.databaseValues).map { String.fromDatabaseValue($0) ?? number($0) }
                }
            }
            let size = try ["artist", "album", "track"].reduce(0) { size, table in
                size + (try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0)
            }
            return Session(
                answers: try PrintedAnswer.all(in: outcome.output), expected: expected,
                catalogueSize: size)
        }
    }

    /// A number as it is printed, or nothing.
    private static func number(_ value: DatabaseValue) -> String {
        Int.fromDatabaseValue(value).map { "\($0)" } ?? ""
    }

    @Test(arguments: ExpectedAnswer.all)
    func `an answer is that of plain SQL to the same question`(
        _ expected: ExpectedAnswer
    ) async throws {
        let session = try await Self.session.value
        let answer = try #require(session.answers.first { $0.name == expected.name })
        let rows = try #require(session.expected[expected.name])
        #expect(!rows.isEmpty)
        #expect(answer.rows == rows)
        #expect(answer.rows.allSatisfy { $0.count == answer.columns.count })
    }

    @Test(arguments: ExpectedAnswer.all)
    func `an answer takes as many statements as its budget allows and no more`(
        _ expected: ExpectedAnswer
    ) async throws {
        let answers = try await Self.session.value.answers
        let answer = try #require(answers.first { $0.name == expected.name })
        #expect(answer.statements == expected.statements)
        #expect(answer.budget == expected.statements)
    }

    @Test func `all artists with their albums and tracks come in three statements`() async throws {
        let session = try await Self.session.value
        let answer = try #require(session.answers.first { $0.name == "catalogue" })
        #expect(answer.statements == 3)
        #expect(answer.rowsRead == session.catalogueSize)
    }

    @Test func `every question is listed with its number and compared`() async throws {
        let answers = try await Self.session.value.answers
        #expect(answers.map(\.name).sorted() == ExpectedAnswer.all.map(\.name).sorted())
        let list = try await ShopRun().run("--list").output.split(separator: "\n")
        let listed = list.compactMap { $0.wholeMatch(of: #/ ?(\d+)  ([a-z-]+): .+/#) }
        #expect(listed.map { String($0.2) } == answers.map(\.name))
        #expect(listed.map { Int($0.1) } == Array(1...answers.count))
    }

    @Test func `a question is answered by its name as by its number`() async throws {
        let shop = try ShopRun()
        let byName = try await shop.run("--tabs", "top-customers", "revenue-by-quarter")
        let byNumber = try await shop.run("--tabs", "1", "9")
        #expect(byName.exitCode == 0)
        #expect(byName.output == byNumber.output)
        #expect(byName.output.hasPrefix("# top-customers\n"))
    }

    @Test func `tables are aligned and no wider than their columns`() async throws {
        let shop = try ShopRun()
        let output = try await shop.run().output
        let tables = output.split(separator: "\n\n").filter { $0.contains("\n-") }
        #expect(tables.count == ExpectedAnswer.all.count)
        for table in tables {
            let lines = table.split(separator: "\n").map(Array.init)
            let rule = lines[1]
            #expect(lines.allSatisfy { $0.count <= rule.count && $0.last != " " })
            for gap in rule.indices where rule[gap] == " " {
                #expect(lines.allSatisfy { $0.count <= gap || $0[gap] == " " })
            }
        }
    }
}
#endif
