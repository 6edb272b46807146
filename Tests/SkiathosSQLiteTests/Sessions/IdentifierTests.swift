import SkiathosStore
import Testing

@Suite struct IdentifierTests {
    private func highest(_ store: any PersistentStore, _ type: Any.Type) throws -> Int64 {
        try store.writer.withSession { try $0.highestID(of: store.position(type)) }
    }

    @Test func `the highest ID survives closing, deletion and rows above it`() throws {
        let directory = try TemporaryDirectory()
        var store = try directory.open()
        let entity = store.position(User.self)
        #expect(try highest(store, User.self) == 0)
        try store.transaction { try $0.apply([.reserveIDs(entity: entity, upTo: 100)]) }
        try store.close()
        store = try directory.open()
        #expect(try highest(store, User.self) == 100)
        #expect(try highest(store, Company.self) == 0)
        #expect(try highest(store, Tag.self) == 0)
        try store.insert(User.self, user(150))
        #expect(try highest(store, User.self) == 150)
        try store.transaction { try $0.deleteEverything() }
        #expect(try store.ids(User.self) == [])
        #expect(try highest(store, User.self) == 150)
        try store.transaction { try $0.apply([.reserveIDs(entity: entity, upTo: 120)]) }
        #expect(try highest(store, User.self) == 120)
        try store.close()
    }

    @Test(arguments: StoreKind.allCases)
    func `a reservation is rolled back with its unit of work`(kind: StoreKind) throws {
        try kind.withStore { store in
            let entity = store.position(User.self)
            _ = try storeError(.uniqueViolation) {
                try store.transaction { session in
                    try session.apply([
                        .reserveIDs(entity: entity, upTo: 9),
                        .insert(entity: entity, Rows([user(1), user(1)])),
                    ])
                }
            }
            #expect(try highest(store, User.self) == 0)
        }
    }

    @Test func `deleting everything leaves every table empty`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(Company.self, [1, "x"])
            try store.insert(User.self, user(1, company: 1))
            try store.insert(Invoice.self, [1, 1, 1])
            try store.insert(Tag.self, ["a", nil])
            try store.transaction { try $0.deleteEverything() }
            for entity in store.schema.entities.indices {
                #expect(try store.rows(FetchRequest(entity: entity)).isEmpty)
            }
        }
    }
}
