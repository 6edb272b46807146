import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct ApplyTests {
    private func update(
        _ store: any PersistentStore, _ type: Any.Type, _ columns: ColumnSet,
        _ rows: [StoreValue]...
    ) -> StoreChange {
        .update(entity: store.position(type), columns: columns, Rows(rows, idIsLast: true))
    }

    @Test(arguments: StoreKind.allCases)
    func `steps are carried out in their order`(kind: StoreKind) throws {
        try kind.withStore { store in
            let users = store.position(User.self)
            try store.transaction { session in
                try session.apply([
                    .insert(entity: store.position(Company.self), Rows([[1, "Skia"]])),
                    .insert(entity: users, Rows([user(1), user(2), user(3)])),
                    update(
                        store, User.self, [UserColumn.age, UserColumn.company], [40, 1, 1],
                        [50, nil, 2], [60, 1, 99]),
                    .delete(entity: users, Rows([[3], [98]])),
                ])
                try session.apply([])
            }
            #expect(try store.all(User.self) == [user(1, age: 40, company: 1), user(2, age: 50)])
        }
    }

    @Test func `two rows may exchange unique values`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(
                User.self, user(1, email: "a"), user(2, email: "b"), user(3, email: "c"))
            try store.insert(Company.self, [1, "x"], [2, "y"])
            try store.insert(
                Badge.self, [1, 1, .blob([1]), 1.5], [2, 2, .blob([2]), 2.5])
            try store.insert(Invoice.self, [1, 7, 1], [2, 7, 2])
            try store.transaction { session in
                try session.apply([
                    update(store, User.self, [UserColumn.email], ["b", 1], ["c", 2], ["a", 3]),
                    update(store, Company.self, [1], ["y", 1], ["x", 2]),
                    update(
                        store, Badge.self, [2, 3], [.blob([2]), 2.5, 1], [.blob([1]), 1.5, 2]),
                    update(store, Invoice.self, [2], [2, 1], [1, 2]),
                ])
            }
            #expect(try store.all(User.self).map { $0[UserColumn.email] } == ["b", "c", "a"])
            #expect(try store.all(Company.self) == [[1, "y"], [2, "x"]])
            #expect(
                try store.all(Badge.self) == [[1, 1, .blob([2]), 2.5], [2, 2, .blob([1]), 1.5]])
            #expect(try store.all(Invoice.self) == [[1, 7, 2], [2, 7, 1]])
        }
    }

    @Test func `an inserted row may take a value that an update gives up`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(User.self, user(1, email: "a"))
            try store.transaction { session in
                try session.apply([
                    .insert(entity: store.position(User.self), Rows([user(2, email: "a")])),
                    update(store, User.self, [UserColumn.email], ["b", 1]),
                ])
            }
            #expect(try store.all(User.self).map { $0[UserColumn.email] } == ["b", "a"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a violation names the entity and columns and leaves nothing behind`(
        kind: StoreKind
    ) throws {
        try kind.withStore { store in
            try store.insert(User.self, user(1, email: "a"), user(2, email: "b"))
            try store.insert(Invoice.self, [1, 7, 1])
            try store.insert(Tag.self, ["t", "x"])
            let users = store.position(User.self)
            let cases: [(StoreError.Code, String, [String], [StoreChange])] = [
                (
                    .uniqueViolation, "user", ["email"],
                    [.insert(entity: users, Rows([user(3, email: "c"), user(4, email: "b")]))]
                ),
                (
                    .uniqueViolation, "user", ["id"],
                    [.insert(entity: users, Rows([user(3), user(2)]))]
                ),
                (
                    .uniqueViolation, "user", ["email"],
                    [update(store, User.self, [UserColumn.email], ["z", 1], ["z", 2])]
                ),
                (
                    .uniqueViolation, "invoice", ["payer", "number"],
                    [.insert(entity: store.position(Invoice.self), Rows([[2, 7, 1]]))]
                ),
                (
                    .uniqueViolation, TestEntities.tag.table, ["id"],
                    [.insert(entity: store.position(Tag.self), Rows([["t", nil]]))]
                ),
                (
                    .uniqueViolation, TestEntities.tag.table, ["the \"order\".x"],
                    [.insert(entity: store.position(Tag.self), Rows([["u", "x"]]))]
                ),
                (
                    .notNullViolation, "user", ["age"],
                    [update(store, User.self, [UserColumn.age], [1, 1], [nil, 2])]
                ),
                (
                    .constraintViolation, "user", ["age"],
                    [update(store, User.self, [UserColumn.age], [1.5, 1])]
                ),
                (
                    .invalidValue, "user", [],
                    [.insert(entity: users, Rows([user(3), user(4, "\0")]))]
                ),
                (
                    .invalidValue, "user", [],
                    [update(store, User.self, [UserColumn.score], [.real(.nan), 1])]
                ),
            ]
            let before = try store.all(User.self)
            try store.writer.withSession { session in
                try session.begin()
                for (code, entity, columns, changes) in cases {
                    let error = try storeError(code) { try session.apply(changes) }
                    #expect(error.entity == entity)
                    #expect(error.columns == columns)
                    #expect(!error.message.contains("\"z\""))
                }
                try session.checkReferences()
                try session.commit()
            }
            #expect(try store.all(User.self) == before)
            #expect(try store.all(Invoice.self) == [[1, 7, 1]])
        }
    }

    @Test func `an error of the objects themselves leaves nothing behind`() throws {
        struct Mistake: Error {}
        struct Failing: RowSource {
            func sendRows(to sink: inout RowSink) throws {
                try Rows([user(1)]).sendRows(to: &sink)
                throw Mistake()
            }
            func sendIDs(to sink: inout RowSink) throws {}
        }
        try StoreKind.file.withStore { store throws in
            #expect(throws: Mistake.self) {
                try store.transaction {
                    try $0.apply([.insert(entity: store.position(User.self), Failing())])
                }
            }
            #expect(try store.ids(User.self) == [])
        }
    }

    @Test func `values beyond the limit of SQLite are too big`() throws {
        try StoreKind.memory.withStore { store in
            struct Huge: RowSource {
                func sendRows(to sink: inout RowSink) throws {
                    // The size alone is looked at before a byte is read.
                    let byte = UnsafeRawBufferPointer.allocateOne()
                    defer { byte.deallocate() }
                    try sink.parameters.bind(
                        bytes: UnsafeRawBufferPointer(start: byte, count: 3 << 30), at: 5)
                }
                func sendIDs(to sink: inout RowSink) throws {}
            }
            _ = try storeError(.tooBig) {
                try store.transaction {
                    try $0.apply([.insert(entity: store.position(User.self), Huge())])
                }
            }
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate static func allocateOne() -> UnsafeMutableRawPointer {
        .allocate(byteCount: 1, alignment: 1)
    }
}
