import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// An account, whose password has no column.
private struct Account: Sendable, Equatable {
    var id: EntityID<Account> = .unassigned
    var name = ""
    var hash = 0
    var password = "none"
}

extension Account: TableEntity {
    init(id: Account.ID) { self.id = id }

    static let table = EntityTable("account", id: \Account.id) {
        EntityColumn("name", \.name)
        EntityColumn("hash", \.hash)
    }
}

/// Changes of entities with properties that have no column.
@Suite(.generousTimeLimit) struct TransientChangeTests {
    @Test func `the rows of a changeset have the defaults of properties without a column`()
        async throws
    {
        let dal = try await DataAccessLayer.open(.inMemory, entities: Account.self)
        var feed = dal.changes(of: Account.self).makeAsyncIterator()
        let id = try await dal.write { context in
            try Account.create(in: context) {
                $0.name = "Ada"
                $0.password = "secret"
                $0.hash = 7
            }.id
        }
        guard case .changes(let inserted)? = try await feed.next() else {
            Issue.record("There is no changeset.")
            return
        }
        #expect(inserted.after(id) == Account(id: id, name: "Ada", hash: 7))
        try await dal.write { context in
            let account = try #require(try Account.find(id, in: context))
            account.password = "another secret"
            account.hash = 8
            #expect(account.password == "another secret")
        }
        guard case .changes(let updated)? = try await feed.next() else {
            Issue.record("There is no changeset.")
            return
        }
        #expect(updated.before(id) == Account(id: id, name: "Ada", hash: 7))
        #expect(updated.after(id) == Account(id: id, name: "Ada", hash: 8))
        #expect(!"\(inserted) \(updated)".contains("secret"))
        try await dal.close()
    }
}
