import Foundation
import SkiathosSQLite
import SkiathosStore
import Testing

@Suite struct RowTests {
    @Test(arguments: StoreKind.allCases)
    func `every storage class comes back as it went in`(kind: StoreKind) throws {
        try kind.withStore { store in
            let rows: [[StoreValue]] = [
                user(1, "", email: "", age: .max, score: -0.0, photo: [], balance: "-12.50"),
                user(2, "Zoë \u{1F600}", age: .min, score: .infinity, photo: [0, 255, 0]),
                user(3, "quote ' \" % _", score: .leastNonzeroMagnitude, balance: "0"),
            ]
            try store.transaction { session in
                try session.apply([.insert(entity: store.position(User.self), Rows(rows))])
            }
            #expect(try store.all(User.self) == rows)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a row is found by its ID of any type, and only once it is there`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.insert(User.self, user(7), user(8))
            try store.insert(Tag.self, ["red", "x"], ["", nil])
            func find(_ type: Any.Type, _ id: StoreValue) throws -> [[StoreValue]] {
                let entity = store.position(type)
                return try store.anyReader.read { session in
                    try collect(store.schema.entities[entity].columns) {
                        try session.fetch(entity: entity, id: id, $0)
                    }
                }
            }
            #expect(try find(User.self, 7) == [user(7)])
            #expect(try find(User.self, 9) == [])
            #expect(try find(User.self, "7x") == [])
            #expect(try find(Tag.self, "red") == [["red", "x"]])
            #expect(try find(Tag.self, "") == [["", nil]])
        }
    }

    @Test func `rows are found by few and by many IDs`() throws {
        try StoreKind.file.withStore { store in
            let entity = store.position(User.self)
            try store.transaction { session in
                let rows = Rows((1...1000).map { user(Int64($0)) })
                try session.apply([.insert(entity: entity, rows)])
            }
            for ids in [[], [3], [5, 1, 5, 2000], Array(1...499), Array(400...3000)] {
                let values = ids.map { StoreValue.integer(Int64($0)) }
                let found = try store.anyReader.read { session in
                    try collect(store.schema.entities[entity].columns) {
                        try session.fetch(entity: entity, ids: values, $0)
                    }
                }
                let expected = Set(ids).filter { $0 <= 1000 }.count
                #expect(found.count == expected)
            }
        }
    }

    @Test func `a query may run inside the loop over the same query`() throws {
        try StoreKind.memory.withStore { store in
            let entity = store.position(User.self)
            try store.insert(User.self, user(1), user(2), user(3))
            var pairs: [[Int64]] = []
            try store.writer.read { session in
                try session.fetch(FetchRequest(entity: entity)) { outer in
                    while outer.next() {
                        try session.fetch(FetchRequest(entity: entity)) { inner in
                            while inner.next() {
                                try session.fetch(entity: entity, id: 1) { lookup in
                                    while lookup.next() {
                                        try session.fetch(entity: entity, id: 2) { innermost in
                                            let found = innermost.next()
                                            #expect(found)
                                        }
                                    }
                                }
                                pairs.append([outer.row.integer(at: 0), inner.row.integer(at: 0)])
                            }
                        }
                    }
                }
            }
            #expect(pairs.count == 9)
        }
    }

    @Test func `an error while decoding names the entity and the column`() throws {
        try StoreKind.file.withStore { store in
            try store.insert(User.self, user(1, age: 300))
            let error = try storeError(.undecodableValue) {
                try store.anyReader.read { session in
                    try session.fetch(FetchRequest(entity: store.position(User.self))) { cursor in
                        while cursor.next() {
                            _ = try UInt8(row: cursor.row, column: UserColumn.age)
                        }
                    }
                }
            }
            #expect(error.entity == "user")
            #expect(error.columns == ["age"])
            // The connection is usable afterwards.
            #expect(try store.ids(User.self) == [1])
        }
    }

    @Test func `a hundred megabytes of bytes come back`() throws {
        try StoreKind.file.withStore { store in
            let bytes = [UInt8](repeating: 0xA5, count: 100 << 20)
            try store.insert(User.self, user(1, photo: bytes))
            let request = FetchRequest(entity: store.position(User.self))
            try store.anyReader.read { session in
                try session.fetch(request) { cursor in
                    let isFound = cursor.next()
                    #expect(isFound)
                    let found = cursor.row.withBytes(at: UserColumn.photo) { Data($0) }
                    #expect(found == Data(bytes))
                }
            }
        }
    }
}
