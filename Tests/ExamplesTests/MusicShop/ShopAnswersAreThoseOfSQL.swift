#if Macros
import GRDB
import Testing

struct ShopAnswersAreThoseOfSQL {
    /// The answers to all questions, printed once, and the store that they were read from.
    private struct Session: Sendable {
        let shop: ShopRun
        let answers: [PrintedAnswer]
    }

    private static let session = Task {
        let shop = try ShopRun()
        let outcome = try await shop.run("--tabs", "--costs")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
        return Session(shop: shop, answers: try PrintedAnswer.all(in: outcome.output))
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
        let rows = try session.shop.read { database in
            try Row.fetchAll(database, sql: expected.sql).map { row in
                Array(row.databaseValues).map { String.fromDatabaseValue($0) ?? Self.number($0) }
            }
        }
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
        let rows = try session.shop.read { database in
            try Int.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM artist) + (SELECT count(*) FROM album)
                    + (SELECT count(*) FROM track)
                    """)
        }
        #expect(answer.statements == 3)
        #expect(answer.rowsRead == rows)
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
