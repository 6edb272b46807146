import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct WindowTests {
    private func withPeople(_ body: (any PersistentStore) throws -> Void) throws {
        try StoreKind.file.withStore { store in
            try store.insert(
                User.self, user(1, "b", age: 2, score: 1), user(2, "B", age: 1),
                user(3, "a", age: 2, score: 2), user(4, "C", age: 1, score: -1))
            try body(store)
        }
    }

    private func by(
        _ column: Int, descending: Bool = false, ignoresCase: Bool = false
    ) -> FetchRequest.Order {
        .init(ignoresCase ? .folded(.column(column)) : .column(column), descending: descending)
    }

    @Test func `rows come in the order of the keys and then of their IDs`() throws {
        try withPeople { store throws in
            #expect(try store.ids(User.self, order: [by(UserColumn.age)]) == [2, 4, 1, 3])
            #expect(
                try store.ids(User.self, order: [by(UserColumn.age, descending: true)]) == [
                    1, 3, 2, 4,
                ])
            #expect(try store.ids(User.self, order: [by(UserColumn.firstname)]) == [2, 4, 3, 1])
            #expect(
                try store.ids(User.self, order: [by(UserColumn.firstname, ignoresCase: true)])
                    == [3, 1, 2, 4])
            #expect(try store.ids(User.self, order: [by(UserColumn.score)]) == [2, 4, 1, 3])
            #expect(
                try store.ids(User.self, order: [by(UserColumn.score, descending: true)])
                    == [3, 1, 4, 2])
            #expect(try store.ids(User.self, order: [by(0, descending: true)]) == [4, 3, 2, 1])
        }
    }

    @Test func `limit and offset cut a window out`() throws {
        try withPeople { store throws in
            let order = [by(UserColumn.age)]
            #expect(try store.ids(User.self, limit: 2) == [1, 2])
            #expect(try store.ids(User.self, limit: 0) == [])
            #expect(try store.ids(User.self, offset: 3) == [4])
            #expect(try store.ids(User.self, order: order, limit: 2, offset: 1) == [4, 1])
            #expect(try store.ids(User.self, order: order, limit: 9, offset: 9) == [])
            let entity = store.position(User.self)
            try store.anyReader.read { session throws in
                func count(_ limit: Int?, _ offset: Int) throws -> Int {
                    try session.count(FetchRequest(entity: entity, limit: limit, offset: offset))
                }
                #expect(try count(3, 0) == 3)
                #expect(try count(3, 2) == 2)
                #expect(try count(nil, 1) == 3)
                #expect(try session.exists(FetchRequest(entity: entity, limit: 0)) == false)
                #expect(try session.exists(FetchRequest(entity: entity, offset: 3)))
                #expect(try session.exists(FetchRequest(entity: entity, offset: 4)) == false)
            }
        }
    }

    @Test func `sets of rows are changed and deleted, whole or by a window`() throws {
        try withPeople { store throws in
            let entity = store.position(User.self)
            let old = FetchRequest(
                entity: entity, predicate: .comparison(.column(UserColumn.age), .equal, .value(2)))
            let youngest = FetchRequest(entity: entity, order: [by(UserColumn.age)], limit: 1)
            try store.transaction { session throws in
                let changes: [StoreAssignment] = [
                    .init(column: UserColumn.age, .add(10)),
                    .init(column: UserColumn.score, .add(0.5)),
                    .init(column: UserColumn.firstname, .set(.value("new"))),
                ]
                #expect(try session.update(old, changes) == 2)
                #expect(
                    try session.update(youngest, [.init(column: UserColumn.score, .add(1))]) == 1)
                #expect(try session.update(old, []) == 0)
                #expect(try session.delete(youngest) == 1)
            }
            #expect(
                try store.all(User.self) == [
                    user(1, "new", age: 12, score: 1.5), user(3, "new", age: 12, score: 2.5),
                    user(4, "C", age: 1, score: -1),
                ])
            #expect(try store.transaction { try $0.delete(FetchRequest(entity: entity)) } == 3)
        }
    }

    @Test func `a sum that a column cannot hold changes nothing`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(
                User.self, user(1, age: 1), user(2, age: .max), user(3, balance: "nonsense"))
            let entity = store.position(User.self)
            for (column, value) in [(UserColumn.age, 1 as StoreValue), (UserColumn.balance, "1")] {
                let error = try storeError(.invalidValue) {
                    try store.transaction { session throws in
                        _ = try session.update(
                            FetchRequest(entity: entity), [.init(column: column, .add(value))])
                    }
                }
                #expect(error.entity == "user")
                #expect(error.columns == [TestEntities.user.columns[column].name])
            }
            #expect(try store.all(User.self)[0] == user(1, age: 1))
        }
    }
}
