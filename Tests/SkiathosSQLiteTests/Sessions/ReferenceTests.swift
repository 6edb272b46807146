import SkiathosStore
import Testing

@Suite struct ReferenceTests {
    @Test(arguments: StoreKind.allCases)
    func `a reference may lead nowhere until the end`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.transaction { session in
                try session.apply([
                    .insert(entity: store.position(User.self), Rows([user(1, company: 5)]))
                ])
                let error = try storeError(.foreignKeyViolation) { try session.checkReferences() }
                #expect(error.entity == "user")
                #expect(error.columns == ["company"])
                #expect(error.message.contains("\"company\""))
                try session.apply([.insert(entity: store.position(Company.self), Rows([[5, "x"]]))])
                try session.checkReferences()
            }
            #expect(try store.ids(User.self) == [1])
        }
    }

    @Test func `a commit with a broken reference fails and can be rolled back`() throws {
        try StoreKind.file.withStore { store in
            try store.writer.withSession { session in
                try session.begin()
                try session.apply([
                    .insert(entity: store.position(Invoice.self), Rows([[1, 1, 9]]))
                ])
                _ = try storeError(.foreignKeyViolation) { try session.commit() }
                try session.rollback()
                try session.rollback()
            }
            #expect(try store.ids(Invoice.self) == [])
        }
    }

    @Test func `delete rules nullify, cascade and deny`() throws {
        try StoreKind.file.withStore { store in
            let users = store.position(User.self)
            try store.insert(Company.self, [1, "x"])
            try store.insert(User.self, user(1, company: 1), user(2))
            try store.insert(Badge.self, [1, 1, .blob([1]), 1.0], [2, 2, .blob([2]), 2.0])
            try store.insert(Invoice.self, [1, 1, 2])

            try store.transaction {
                try $0.apply([.delete(entity: store.position(Company.self), Rows([[1]]))])
                try $0.apply([.delete(entity: users, Rows([[1]]))])
            }
            #expect(try store.all(User.self) == [user(2)])
            #expect(try store.ids(Badge.self) == [2])

            let error = try storeError(.foreignKeyViolation) {
                try store.transaction { try $0.apply([.delete(entity: users, Rows([[2]]))]) }
            }
            #expect(error.entity == "invoice")
            #expect(error.columns == ["payer"])
            #expect(error.message.contains("still referred to"))
            #expect(try store.ids(User.self) == [2])

            try store.transaction { session in
                try session.apply([.delete(entity: users, Rows([[2]]))])
                try session.apply([.delete(entity: store.position(Invoice.self), Rows([[1]]))])
            }
            #expect(try store.ids(User.self) == [])
        }
    }

    @Test func `entities may refer to each other in a circle`() throws {
        enum Left {}
        enum Right {}
        let left = EntitySchema(
            Left.self, table: "left", id: Coding.of(Int64.self),
            columns: [ColumnSchema("other", Coding.of(Reference<Right>.self))])
        let right = EntitySchema(
            Right.self, table: "right", id: Coding.of(Int64.self),
            columns: [ColumnSchema("other", Coding.of(Reference<Left>.self))])
        try StoreKind.file.withStore([left, right]) { store in
            try store.transaction { session in
                try session.apply([
                    .insert(entity: store.position(Left.self), Rows([[1, 1]])),
                    .insert(entity: store.position(Right.self), Rows([[1, 1]])),
                ])
            }
            try store.transaction { try $0.deleteEverything() }
            #expect(try store.ids(Left.self) == [])
        }
    }
}
