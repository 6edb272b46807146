import SkiathosStore
import Testing

@Suite struct ExplanationTests {
    @Test(arguments: StoreKind.allCases)
    func `a request is explained without being run`(_ kind: StoreKind) throws {
        try kind.withStore { store in
            let user = store.position(User.self)
            let request = FetchRequest(
                entity: user,
                predicate: .comparison(.column(UserColumn.firstname), .equal, .value("Ada")),
                order: [.init(.column(UserColumn.score), descending: true)], limit: 3)
            let explanation = try store.anyReader.read { try $0.explain(request) }
            #expect(explanation.sql.hasPrefix(#"SELECT "id", "firstname""#))
            #expect(explanation.sql.hasSuffix("LIMIT ?"))
            #expect(explanation.plan == ["SCAN user", "USE TEMP B-TREE FOR ORDER BY"])
            #expect(explanation.fullScans == ["user"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a request that an index answers has no full scan`(_ kind: StoreKind) throws {
        try kind.withStore { store in
            let request = FetchRequest(
                entity: store.position(User.self),
                predicate: .comparison(.column(UserColumn.age), .equal, .value(30)))
            let explanation = try store.anyReader.read { try $0.explain(request) }
            #expect(explanation.fullScans.isEmpty)
            #expect(explanation.plan.count == 1)
            #expect(explanation.plan.first?.hasPrefix("SEARCH user USING INDEX") == true)
        }
    }

    @Test func `a table whose name needs quotes is named as it is`() throws {
        try StoreKind.memory.withStore { store in
            let request = FetchRequest(entity: store.position(Tag.self))
            let explanation = try store.anyReader.read { try $0.explain(request) }
            #expect(explanation.fullScans == [#"odd "tag", really"#])
        }
    }
}
