#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// Conditions, sort keys and changes that closures list, compared with the same in plain Swift.
struct BuilderTests {
    @Test(arguments: Place.allCases)
    func `Boolean columns are conditions beside others`(_ place: Place) async throws {
        try await Self.withGuests(place) { guests, context in
            func check(
                _ query: Query<Guest>, _ isIncluded: (Guest) -> Bool,
                _ location: SourceLocation = #_sourceLocation
            ) throws {
                let found = try query.all(in: context).map(\.id)
                let expected = guests.filter(isIncluded).map(\.id)
                #expect(found.sorted() == expected.sorted(), sourceLocation: location)
                #expect(try query.count(in: context) == expected.count, sourceLocation: location)
            }
            try check(Guest.where { $0.isInvited }) { $0.isInvited }
            try check(Guest.where { !$0.isInvited }) { !$0.isInvited }
            try check(Guest.where { $0.isInvited && $0.hasCome }) { $0.isInvited && $0.hasCome }
            try check(Guest.where { $0.isInvited || $0.hasCome }) { $0.isInvited || $0.hasCome }
            try check(Guest.where { $0.isInvited && $0.age > 2 }) { $0.isInvited && $0.age > 2 }
            try check(Guest.where { $0.age > 2 && !$0.hasCome }) { $0.age > 2 && !$0.hasCome }
            try check(Guest.where { $0.isInvited || $0.age > 2 }) { $0.isInvited || $0.age > 2 }
            try check(Guest.where { $0.age > 2 || $0.hasCome && !$0.isInvited }) {
                $0.age > 2 || $0.hasCome && !$0.isInvited
            }
        }
    }

    @Test(arguments: Place.allCases, [nil, 3] as [Int?])
    func `a closure of several conditions finds the rows that meet all`(
        _ place: Place, _ age: Int?
    ) async throws {
        try await Self.withGuests(place) { guests, context in
            let found = Guest.where {
                $0.isInvited
                if let age { $0.age == age }
                if age == nil { $0.age < 2 } else { !$0.hasCome }
                for excluded in [0, 5] { $0.age != excluded }
            }
            let expected = guests.filter { guest in
                guest.isInvited && (age.map { guest.age == $0 } ?? true)
                    && (age == nil ? guest.age < 2 : !guest.hasCome)
                    && ![0, 5].contains(guest.age)
            }
            #expect(!expected.isEmpty)
            let rows = try found.all(in: context)
            #expect(rows == expected)
        }
    }

    @Test(arguments: Place.allCases)
    func `sort keys are listed in an array or line by line, ascending by default`(
        _ place: Place
    ) async throws {
        try await Self.withGuests(place) { guests, context in
            let expected = guests.sorted { ($1.age, $0.name) < ($0.age, $1.name) }.map(\.name)
            let queries = [
                Guest.order { [$0.age.descending, $0.name.ascending] },
                Guest.order {
                    $0.age.descending
                    $0.name
                },
                Guest.order { $0.age.descending }.order { $0.name },
                Guest.order {
                    if guests.isEmpty { $0.hasCome } else { $0.age.descending }
                    $0.name
                },
            ]
            for query in queries {
                let names = try query.all(in: context).map(\.name)
                #expect(names == expected)
            }
            let last = try Guest.first(orderedBy: { $0.name.descending }, in: context)
            #expect(last?.name == guests.map(\.name).max())
        }
    }

    @Test(arguments: Place.allCases)
    func `changes are listed in an array or line by line`(_ place: Place) async throws {
        try await Self.with(place) { dal in
            let changed = try await dal.write { context in
                let one = try Guest.update(
                    where: { !$0.isInvited }, set: { $0.isInvited.set(to: true) }, in: context)
                let several = try Guest.update(
                    set: {
                        $0.age.add(1)
                        if one > 0 { $0.hasCome.set(to: false) }
                    }, in: context)
                return [one, several]
            }
            #expect(changed == [12, 24])
            let left = try await dal.read { context in
                try Guest.where { !$0.isInvited || $0.hasCome || $0.age == 0 }.count(in: context)
            }
            #expect(left == 0)
        }
    }

    @Test(arguments: Place.allCases)
    func `the functions of Swift for texts, sequences and ranges mean the same in a query`(
        _ place: Place
    ) async throws {
        try await Self.withGuests(place) { guests, context in
            func check(
                _ condition: (Guest.Columns) -> Condition<Guest>, _ isIncluded: (Guest) -> Bool,
                _ location: SourceLocation = #_sourceLocation
            ) throws {
                let found = try Guest.where(condition).all(in: context)
                #expect(found == guests.filter(isIncluded), sourceLocation: location)
            }
            try check({ $0.nickname.isEmpty }, { $0.nickname?.isEmpty == true })
            try check({ !$0.name.isEmpty }, { !$0.name.isEmpty })
            try check({ [1, 2, 9].contains($0.age) }, { [1, 2, 9].contains($0.age) })
            try check({ Set([1, 2]).contains($0.age) }, { Set([1, 2]).contains($0.age) })
            try check({ (2...4).contains($0.age) }, { (2...4).contains($0.age) })
            try check({ (2..<4).contains($0.age) }, { (2..<4).contains($0.age) })
            try check({ (3...).contains($0.age) }, { (3...).contains($0.age) })
            try check({ (..<3).contains($0.age) }, { (..<3).contains($0.age) })
            try check({ ["", nil].contains($0.nickname) }, { ["", nil].contains($0.nickname) })
            try check({ ["N1"].contains($0.name.uppercased()) }, { $0.name.uppercased() == "N1" })
        }
    }

    @Test(arguments: Place.allCases)
    func `a decimal number times a whole one is exact`(_ place: Place) async throws {
        try await Self.withGuests(place) { guests, context in
            let found = try Guest.order { $0.id }.select { ($0.fee * $0.age, $0.age * $0.fee) }
                .all(in: context)
            #expect(found.map(\.0) == guests.map { $0.fee * Decimal($0.age) })
            #expect(found.map(\.1) == found.map(\.0))
        }
    }

    @Test(arguments: Place.allCases)
    func `one value of each group is read without a tuple`(_ place: Place) async throws {
        try await Self.withGuests(place) { guests, context in
            let counts = try Guest.grouped { ($0.age, $0.isInvited) }.select { $0.id.count }
                .all(in: context)
            #expect(counts.map(\.value).reduce(0, +) == guests.count)
            let ages = try Guest.grouped { $0.age }.select { $0.fee.sum }.all(in: context)
            #expect(
                Dictionary(uniqueKeysWithValues: ages.map { ($0.key, $0.value) })
                    == Dictionary(grouping: guests, by: \.age).mapValues {
                        $0.reduce(0) { $0 + $1.fee }
                    })
        }
    }

    /// Reads in a store with guests of all kinds, who come in the order of their IDs.
    private static func withGuests(
        _ place: Place, _ body: @escaping @Sendable ([Guest], ReadContext) throws -> Void
    ) async throws {
        try await with(place) { dal in
            let guests = try await dal.read { try Guest.all(in: $0) }
            #expect(guests.count == 24)
            try await dal.read { try body(guests, $0) }
        }
    }

    private static func with(
        _ place: Place, _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source =
            place == .memory ? StoreSource.inMemory : .sqlite(directory.file("guests.sqlite"))
        try await withStore(source, entities: [Guest.self]) { dal in
            try await dal.write { context in
                for number in 0..<24 {
                    try Guest.create(in: context) {
                        $0.name = "n\(number)"
                        $0.nickname = number % 3 == 0 ? nil : number % 3 == 1 ? "" : "x"
                        $0.age = number % 6
                        $0.isInvited = number % 2 == 0 ? number < 12 : number >= 12
                        $0.hasCome = number % 4 < 2
                        $0.fee = Decimal(number * 7 + 3) / 100
                    }
                }
            }
            try await body(dal)
        }
        withExtendedLifetime(directory) {}
    }
}

@Entity private struct Guest: Equatable {
    var name = ""
    var nickname: String?
    var age = 0
    var isInvited = false
    var hasCome = false
    var fee: Decimal = 0
}
#endif
