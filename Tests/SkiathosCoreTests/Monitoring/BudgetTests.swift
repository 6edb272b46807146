import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@Suite struct BudgetTests {
    /// Adds users aged 0 to 9.
    private func fill(_ dal: DataAccessLayer) async throws {
        try await dal.write { context in
            for age in 0..<10 {
                try User.create(in: context) {
                    $0.firstname = "Ada"
                    $0.age = age
                }
            }
        }
    }

    /// The error of a budget that is exceeded.
    private func exceeded(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async throws -> DataAccessError {
        let error = try await #require(
            throws: DataAccessError.self, sourceLocation: sourceLocation
        ) { try await body() }
        #expect(error.code == .budgetExceeded, "\(error)", sourceLocation: sourceLocation)
        return error
    }

    @Test(arguments: Place.allCases)
    func `queries within their budget give what they always give`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await fill(dal)
            let budget = QueryBudget(statements: 4, rows: 9, fullScans: 0)
            let ages: [Int] = try await dal.read(budget: budget) { context in
                #expect(try User.count(where: { $0.age >= 5 }, in: context) == 5)
                #expect(try User.exists(where: { $0.age >= 5 }, in: context))
                #expect(try User.find(1, in: context)?.firstname == "Ada")
                return try User.all(
                    where: { $0.age >= 5 }, orderedBy: { [$0.age.ascending] }, in: context
                )
                .map(\.age)
            }
            #expect(ages == [5, 6, 7, 8, 9])
        }
    }

    @Test(arguments: Place.allCases)
    func `one statement too many is refused before it runs`(_ place: Place) async throws {
        try await withStore(place) { dal in
            try await fill(dal)
            let error = try await exceeded {
                try await dal.read(budget: QueryBudget(statements: 1)) { context in
                    #expect(try User.count(in: context) == 10)
                    _ = try User.find(1, in: context)
                }
            }
            #expect(error.message.contains("statements: 1"))
            #expect(error.message.contains(#"FROM "user" WHERE "id" = ?"#))
        }
    }

    @Test func `a query stops at the first row beyond the budget`() async throws {
        try await withStore { dal in
            try await fill(dal)
            let error = try await exceeded {
                try await dal.read(budget: QueryBudget(rows: 9)) { _ = try User.all(in: $0) }
            }
            #expect(error.message.contains("rows: 9"))
            let all: [User] = try await dal.read(budget: QueryBudget(rows: 10)) {
                try User.all(in: $0)
            }
            #expect(all.count == 10)
        }
    }

    @Test func `the message names the call, the statement, its plan and an index, and no value`()
        async throws
    {
        try await withStore { dal in
            try await fill(dal)
            let line = #line + 2
            let error = try await exceeded {
                try await dal.read(budget: QueryBudget(fullScans: 0)) {
                    _ = try User.all(where: { $0.score == 4711.5 && $0.age != 3 }, in: $0)
                }
            }
            #expect(error.place == "SkiathosCoreTests/BudgetTests.swift:\(line)")
            #expect(error.message.contains(error.place))
            #expect(error.message.contains(#"WHERE (("score" = ?)"#))
            #expect(error.message.contains("- SCAN user"))
            #expect(error.message.contains("Mark User.score @Indexed."))
            #expect(!error.message.contains("4711"))
        }
    }

    @Test func `advice knows when no index would help`() async throws {
        try await withStore { dal in
            try await fill(dal)
            let all = try await exceeded {
                try await dal.read(budget: QueryBudget(fullScans: 0)) { _ = try User.all(in: $0) }
            }
            #expect(all.message.contains("give it a condition or a limit"))
            let suffix = try await exceeded {
                try await dal.read(budget: QueryBudget(fullScans: 0)) {
                    _ = try User.count(where: { $0.lastname.hasSuffix("e") }, in: $0)
                }
            }
            #expect(suffix.message.contains("cannot be looked up in an index of User"))
            let sorted = try await exceeded {
                try await dal.read(budget: QueryBudget(fullScans: 0)) {
                    _ = try User.all(orderedBy: { [$0.score.ascending] }, limit: 2, in: $0)
                }
            }
            #expect(sorted.message.contains("Mark User.score @Indexed."))
        }
    }

    @Test func `a page in the order of an index is no full scan`() async throws {
        try await withStore { dal in
            try await fill(dal)
            let use = try await dal.countingQueries { context in
                _ = try User.all(limit: 3, offset: 2, in: context)
                _ = try User.first(in: context)
            }
            #expect(use == QueryUse(statements: 2, rows: 4))
        }
    }

    @Test func `budgets inside of each other all count`() async throws {
        try await withStore { dal in
            try await fill(dal)
            _ = try await exceeded {
                try await dal.read(budget: QueryBudget(statements: 2)) { context in
                    try context.withBudget(QueryBudget(statements: 1)) {
                        _ = try User.count(in: context)
                    }
                    try context.withBudget(QueryBudget(statements: 5)) {
                        _ = try User.count(in: context)
                        _ = try User.count(in: context)
                    }
                }
            }
            let count: Int = try await dal.read { context in
                #expect(throws: DataAccessError.self) {
                    try context.withBudget(QueryBudget(statements: -1)) {
                        _ = try User.count(in: context)
                    }
                }
                // Behind the closure nothing is counted.
                return try User.count(in: context)
            }
            #expect(count == 10)
        }
    }

    @Test(arguments: Place.allCases)
    func `the budget of a write counts its queries, and not its flushes and refreshes`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await fill(dal)
            let budget = QueryBudget(statements: 3, rows: 11, fullScans: 2)
            try await dal.write(budget: budget) { context in
                let users = try User.all(in: context)  // 1 statement, 10 rows, 1 scan
                for user in users { user.score += 1 }
                try User.update(
                    where: { $0.score == 1 }, set: { [$0.score.set(to: 2)] }, in: context)
                #expect(users.allSatisfy { $0.score == 2 })
                #expect(try User.count(in: context) == 10)  // 1 row
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `a change that exceeds the budget is rolled back even if its error is caught`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            try await fill(dal)
            try await dal.write { context in
                let held = try #require(try User.find(1, in: context))
                #expect(throws: DataAccessError.self) {
                    try context.withBudget(QueryBudget(fullScans: 0)) {
                        try User.update(set: { [$0.score.set(to: 5)] }, in: context)
                    }
                }
                #expect(held.score == 0)
                held.lastname = "Lovelace"
            }
            let changed: Int = try await dal.read {
                try User.count(where: { $0.score == 5 }, in: $0)
            }
            #expect(changed == 0)
            let kept: Bool = try await dal.read {
                try User.exists(where: { $0.lastname == "Lovelace" }, in: $0)
            }
            #expect(kept)
        }
    }

    @Test func `a write that throws the error of its budget changes nothing`() async throws {
        try await withStore { dal in
            try await fill(dal)
            _ = try await exceeded {
                try await dal.write(budget: QueryBudget(statements: 0)) { context in
                    try User.create(in: context)
                    try User.deleteAll(in: context)
                }
            }
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 10)
        }
    }

    @Test func `synchronous calls have budgets too`() async throws {
        try await withStore { dal in
            try await fill(dal)
            try await onThread {
                let count: Int = try dal.write(budget: QueryBudget(statements: 1)) {
                    try User.count(in: $0)
                }
                #expect(count == 10)
                #expect(throws: DataAccessError.self) {
                    try dal.read(budget: QueryBudget(rows: 0)) { _ = try User.find(1, in: $0) }
                }
            }
        }
    }
}
