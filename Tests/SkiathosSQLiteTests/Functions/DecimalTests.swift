import Foundation
import ReliabilityKit
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

@Suite struct DecimalTests {
    private func compare(_ left: String, _ right: String) -> Int32 {
        Array(left.utf8).withUnsafeBytes { left in
            Array(right.utf8).withUnsafeBytes { DecimalOrder.compare(left, $0) }
        }
    }

    @Test(.seeded) func `texts are ordered as Foundation orders the numbers`() throws {
        var generator = SeededNumbers(seed: Seed.current)
        var numbers: [Decimal] = [0, 1, -1, 10, 9, -9, -10, .greatestFiniteMagnitude]
        numbers += [.leastFiniteMagnitude, .leastNonzeroMagnitude]
        for _ in 0..<200 {
            let significand = Decimal(Int64.random(in: -10_000...10_000, using: &generator))
            let exponent = Int.random(in: -6...6, using: &generator)
            numbers.append(
                Decimal(
                    sign: .plus, exponent: exponent, significand: significand))
        }
        for left in numbers {
            for right in numbers {
                let expected: Int32 = left < right ? -1 : left == right ? 0 : 1
                let found = compare(left.description, right.description)
                #expect(found == expected, "\(left) and \(right)")
            }
        }
    }

    @Test func `other spellings of a number have their place`() {
        #expect(compare("007.500", "7.5") == 0)
        #expect(compare("-0", "0.0") == 0)
        #expect(compare("", "0") == 0)
        #expect(compare("-", "1") == -1)
        #expect(compare(".5", "0.25") == 1)
    }

    @Test func `conditions, sorting and sums go by the numeric value`() throws {
        try StoreKind.memory.withStore { store in
            let texts = [
                "9", "10", "-3.5", "-20", "0.001", "9.99", "123456789012345678901234567890.5",
            ]
            for (position, text) in texts.enumerated() {
                try store.insert(User.self, user(Int64(position + 1), balance: text))
            }
            try store.insert(User.self, user(8))
            let balance = StoreExpression.column(UserColumn.balance)
            #expect(
                try store.ids(User.self, order: [.init(balance, descending: false)])
                    == [8, 4, 3, 5, 1, 6, 2, 7])
            #expect(
                try store.ids(User.self, where: .comparison(balance, .less, .value("9.99"))) == [
                    1, 3, 4, 5,
                ])
            #expect(
                try store.ids(
                    User.self, where: .comparison(balance, .greaterOrEqual, .value("9.99")))
                    == [2, 6, 7])
            #expect(try store.ids(User.self, where: .contained(balance, ["10", "9"])) == [1, 2])
            let entity = store.position(User.self)
            let changed = try store.transaction { session in
                try session.update(
                    FetchRequest(entity: entity), [.init(column: UserColumn.balance, .add("0.01"))])
            }
            #expect(changed == 8)
            let sums = try store.all(User.self).map { $0[UserColumn.balance] }
            #expect(
                sums == [
                    "9.01", "10.01", "-3.49", "-19.99", "0.011", "10",
                    "123456789012345678901234567890.51", nil,
                ])
        }
    }

    @Test func `nothing is added to a text that no property would read as a number`() throws {
        let texts = [
            "", "12abc", "0x10", "1.", " 1", "1e5", String(repeating: "7", count: 49),
        ]
        for text in texts {
            try StoreKind.memory.withStore { store in
                try store.insert(User.self, user(1, balance: text))
                let entity = store.position(User.self)
                _ = try storeError(.invalidValue) {
                    try store.transaction { session throws in
                        _ = try session.update(
                            FetchRequest(entity: entity),
                            [.init(column: UserColumn.balance, .add("0.01"))])
                    }
                }
                #expect(try store.all(User.self) == [user(1, balance: text)])
            }
        }
    }
}
