import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

@Suite struct BulkApplyTests {
    /// A row of `user` in which every storage class occurs, and no value as often.
    private func anyUser(_ id: Int64) -> [StoreValue] {
        user(
            id, id % 5 == 0 ? "" : "Zoë \(id)", email: id % 3 == 0 ? nil : "user.\(id)@example.org",
            age: id == 7 ? .max : -id, score: id % 4 == 0 ? nil : Double(id) / 3,
            photo: id % 6 == 0 ? [] : id % 6 == 1 ? nil : [0, UInt8(id % 256)],
            balance: id % 7 == 0 ? nil : "\(id).25", company: id % 2 == 0 ? 1 : nil)
    }

    @Test(
        arguments: [1, 3, 4, 11, 12, 15, 16, 17, 300, 10_000], StoreKind.allCases)
    func `many rows are inserted, changed and deleted like few`(
        count: Int, kind: StoreKind
    ) throws {
        try kind.withStore { store in
            let users = store.position(User.self)
            try store.insert(Company.self, [1, "Skia"])
            let ids = Array(1...Int64(count))
            try store.transaction {
                try $0.apply([.insert(entity: users, LendableRows(ids.map(anyUser)))])
            }
            #expect(try store.all(User.self) == ids.map(anyUser))

            // Neither in the order of the IDs nor all of them there.
            let updates = (ids + [-1]).reversed().map { id -> [StoreValue] in
                [.null, .integer(id &* 3), .real(0.5), .integer(id)]
            }
            let columns: ColumnSet = [UserColumn.email, UserColumn.age, UserColumn.score]
            try store.transaction {
                try $0.apply([
                    .update(
                        entity: users, columns: columns,
                        LendableRows(updates, idIsLast: true))
                ])
            }
            var expected = ids.map(anyUser)
            for index in expected.indices {
                expected[index][UserColumn.email] = .null
                expected[index][UserColumn.age] = .integer(ids[index] &* 3)
                expected[index][UserColumn.score] = .real(0.5)
            }
            #expect(try store.all(User.self) == expected)

            let deleted = (ids.dropLast() + [-1, -2]).reversed().map { [StoreValue.integer($0)] }
            try store.transaction {
                try $0.apply([.delete(entity: users, LendableRows(deleted))])
            }
            let rest = try store.all(User.self)
            #expect(rest == expected.suffix(1))
        }
    }

    @Test func `IDs that are text and names that need quoting make no difference`() throws {
        try StoreKind.file.withStore { store in
            let tags = store.position(Tag.self)
            let rows = (100..<200).map { [.text("t\($0)"), .text("\($0)")] as [StoreValue] }
            try store.transaction { session in
                try session.apply([.insert(entity: tags, LendableRows(rows))])
                try session.apply([
                    .update(
                        entity: tags, columns: [1],
                        LendableRows(rows.map { [.null, $0[0]] }, idIsLast: true))
                ])
                try session.apply([.delete(entity: tags, LendableRows(Array(rows.dropFirst())))])
            }
            #expect(try store.all(Tag.self) == [["t100", nil]])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a violation in the middle names its column and leaves nothing behind`(
        kind: StoreKind
    ) throws {
        try kind.withStore { store in
            let users = store.position(User.self)
            try store.insert(Company.self, [1, "Skia"])
            let before = (1...100).map(anyUser)
            try store.transaction {
                try $0.apply([.insert(entity: users, LendableRows(before))])
            }
            func inserting(_ change: (inout [StoreValue]) -> Void) -> StoreChange {
                var rows = (201...300).map(anyUser)
                change(&rows[50])
                return .insert(entity: users, LendableRows(rows))
            }
            func updating(_ column: Int, _ value: (Int64) -> StoreValue) -> StoreChange {
                let rows = (1...100).map { [value($0), .integer($0)] as [StoreValue] }
                return .update(
                    entity: users, columns: [column], LendableRows(rows, idIsLast: true))
            }
            let cases: [(StoreError.Code, [String], StoreChange)] = [
                (.uniqueViolation, ["id"], inserting { $0[0] = 17 }),
                (.uniqueViolation, ["email"], inserting { $0[2] = "user.1@example.org" }),
                (.notNullViolation, ["age"], inserting { $0[UserColumn.age] = .null }),
                (.constraintViolation, ["age"], inserting { $0[UserColumn.age] = 1.5 }),
                (.invalidValue, [], inserting { $0[UserColumn.firstname] = "\0" }),
                (.invalidValue, [], inserting { $0[UserColumn.score] = .real(.nan) }),
                (.uniqueViolation, ["email"], updating(UserColumn.email) { _ in "same" }),
                (
                    .notNullViolation, ["age"],
                    updating(UserColumn.age) { $0 == 60 ? .null : 1 }
                ),
                (
                    .invalidValue, [],
                    updating(UserColumn.score) { $0 == 60 ? .real(.nan) : 1.5 }
                ),
            ]
            try store.writer.withSession { session in
                try session.begin()
                for (code, columns, change) in cases {
                    let error = try storeError(code) { try session.apply([change]) }
                    #expect(error.entity == "user")
                    #expect(error.columns == columns)
                    #expect(!error.message.contains("example.org"))
                    #expect(session.isInTransaction)
                }
                try session.checkReferences()
                try session.commit()
            }
            #expect(try store.all(User.self) == before)
        }
    }

    @Test func `a value that is too big fails like one that is sent alone`() throws {
        try StoreKind.memory.withStore { store in
            struct Huge: RowSource {
                var lendableCount: Int { 100 }
                func sendRows(to sink: inout RowSink) throws {}
                func sendIDs(to sink: inout RowSink) throws {}
                func lendRows(to body: (LentRows) throws -> Void) throws {
                    let byte = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
                    defer { byte.deallocate() }
                    try body(
                        LentRows(count: 100, move: { _ in }) { _, parameters in
                            // The size alone is looked at before a byte is read.
                            try parameters.bind(
                                bytes: UnsafeRawBufferPointer(start: byte, count: 3 << 30), at: 0)
                        })
                }
            }
            _ = try storeError(.tooBig) {
                try store.transaction {
                    try $0.apply([.insert(entity: store.position(User.self), Huge())])
                }
            }
        }
    }

    @Test func `an error of the objects themselves is thrown as it is`() throws {
        struct Mistake: Error {}
        struct Failing: RowSource {
            var lendableCount: Int { 100 }
            func sendRows(to sink: inout RowSink) throws {}
            func sendIDs(to sink: inout RowSink) throws {}
            func lendRows(to body: (LentRows) throws -> Void) throws {
                var current = 0
                let row = user(1)
                try body(
                    LentRows(count: 100, move: { current = $0 }) { position, parameters in
                        if current == 50 { throw Mistake() }
                        let id = StoreValue.integer(Int64(current))
                        try (position == 0 ? id : row[position]).bind(to: parameters, at: 0)
                    })
            }
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

    @Test func `many rows may exchange unique values`() throws {
        try StoreKind.file.withStore { store in
            let companies = store.position(Company.self)
            let ids = Array(1...500 as ClosedRange<Int64>)
            let rows = ids.map { [.integer($0), .text("\($0)")] as [StoreValue] }
            try store.transaction {
                try $0.apply([.insert(entity: companies, LendableRows(rows))])
                let turned = ids.map { [.text("\($0 % 500 + 1)"), .integer($0)] as [StoreValue] }
                try $0.apply([
                    .update(
                        entity: companies, columns: [1], LendableRows(turned, idIsLast: true))
                ])
            }
            let companiesNow = try store.all(Company.self)
            #expect(companiesNow == ids.map { [.integer($0), .text("\($0 % 500 + 1)")] })
        }
    }

    @Test func `rows that refer to deleted ones follow their rules`() throws {
        try StoreKind.file.withStore { store in
            let users = store.position(User.self)
            let ids = Array(1...200 as ClosedRange<Int64>)
            try store.insert(Company.self, [1, "Skia"])
            try store.transaction { session in
                try session.apply([
                    .insert(entity: users, LendableRows(ids.map { user($0, company: 1) })),
                    .insert(
                        entity: store.position(Badge.self),
                        LendableRows(
                            ids.map {
                                [.integer($0), .integer($0), .blob([UInt8($0)]), .real(Double($0))]
                            })),
                ])
            }
            try store.transaction { session in
                try session.apply([
                    .delete(entity: users, LendableRows(ids.dropLast().map { [.integer($0)] })),
                    .delete(entity: store.position(Company.self), LendableRows([[1]])),
                ])
            }
            #expect(try store.all(User.self) == [user(200)])
            #expect(try store.ids(Badge.self) == [200])
        }
    }

    @Test func `statistics that are long out of date cost no more than a statement for each row`()
        throws
    {
        try StoreKind.memory.withStore { store in
            let users = store.position(User.self)
            try store.insert(User.self, user(0))
            try store.writer.withSession { session in
                try (session as? SQLiteSession)?.perform("ANALYZE")
            }
            let ids = Array(1...2000 as ClosedRange<Int64>)
            try store.transaction { session in
                try session.apply([
                    .insert(entity: users, LendableRows(ids.map { user($0) })),
                    .update(
                        entity: users, columns: [UserColumn.age],
                        LendableRows(ids.map { [99, .integer($0)] }, idIsLast: true)),
                ])
            }
            let scans = try store.writer.withSession {
                ($0 as? SQLiteSession)?.scanningStatements.count
            }
            #expect(scans == 1)
            let rows = try store.all(User.self)
            #expect(rows == [user(0)] + ids.map { user($0, age: 99) })
        }
    }

    @Test(.seeded) func `random changes have the same result sent one by one and in bulk`() throws {
        var random = Steps(state: Seed.current)
        try StoreKind.memory.withStore { lending in
            try StoreKind.memory.withStore { sending in
                let users = lending.position(User.self)
                for store in [lending, sending] { try store.insert(Company.self, [1, "Skia"]) }
                for _ in 0..<60 {
                    let (rows, idIsLast, change) = random.change(anyUser)
                    let errors = try [true, false].map { mayLend in
                        let source: any RowSource =
                            mayLend
                            ? LendableRows(rows, idIsLast: idIsLast)
                            : Rows(rows, idIsLast: idIsLast)
                        let store = mayLend ? lending : sending
                        do {
                            try store.transaction { try $0.apply([change(users, source)]) }
                            return nil as StoreError?
                        } catch let error as StoreError {
                            return error
                        }
                    }
                    #expect(errors[0]?.code == errors[1]?.code)
                    #expect(errors[0]?.columns == errors[1]?.columns)
                    let all = try (lending.all(User.self), sending.all(User.self))
                    #expect(all.0 == all.1)
                }
            }
        }
    }

    /// Makes up changes.
    private struct Steps {
        var state: UInt64

        mutating func number(below limit: Int) -> Int {
            // Knuth's linear congruential generator; its high bits are random enough here.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }

        mutating func ids() -> [Int64] {
            var ids = Set<Int64>()
            for _ in 0..<number(below: 60) { ids.insert(Int64(number(below: 300)) + 1) }
            // In another order than that of the table.
            return ids.sorted { $0 % 17 != $1 % 17 ? $0 % 17 < $1 % 17 : $0 < $1 }
        }

        mutating func change(
            _ user: (Int64) -> [StoreValue]
        ) -> ([[StoreValue]], idIsLast: Bool, (Int, any RowSource) -> StoreChange) {
            let ids = ids()
            switch number(below: 3) {
            case 0:
                return (ids.map(user), false, { .insert(entity: $0, $1) })
            case 1:
                let shift = Int64(number(below: 3))
                return (
                    ids.map {
                        [.text("user.\($0 &+ shift)@example.org"), .integer(shift), .integer($0)]
                    }, true,
                    {
                        .update(
                            entity: $0, columns: [UserColumn.email, UserColumn.age], $1)
                    }
                )
            default:
                return (ids.map { [.integer($0)] }, false, { .delete(entity: $0, $1) })
            }
        }
    }
}
