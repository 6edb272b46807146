import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

/// Differences of lists, and lists that change row by row.
@Suite(.generousTimeLimit) struct ListDifferenceTests {
    private static func user(_ id: Int, _ generator: inout SeededNumbers) -> User {
        var user = User(id: User.ID(rawValue: Int64(id)))
        user.age = Int.random(in: 0..<5, using: &generator)
        user.firstname = ["", "a", "b", "é", "B"].randomElement(using: &generator) ?? ""
        user.email = Bool.random(using: &generator) ? nil : "\(user.age % 2)"
        user.score = [0, -0.0, 1.5, -.infinity].randomElement(using: &generator) ?? 0
        return user
    }

    /// The length of the longest increasing subsequence, by comparing all pairs.
    private static func longestRun(_ numbers: [Int]) -> Int {
        var lengths: [Int] = []
        for (position, number) in numbers.enumerated() {
            let before = numbers[..<position].indices.filter { numbers[$0] < number }
            lengths.append(1 + (before.map { lengths[$0] }.max() ?? 0))
        }
        return lengths.max() ?? 0
    }

    @Test(.seeded) func `applying a difference makes the new list, with the fewest moves`() {
        var generator = SeededNumbers(seed: Seed.current)
        for _ in 0..<3_000 {
            let old = (0..<Int.random(in: 0...20, using: &generator)).shuffled(using: &generator)
                .map { Self.user($0, &generator) }
            var new = old
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where !new.isEmpty:
                    new.remove(at: Int.random(in: new.indices, using: &generator))
                case 1 where !new.isEmpty:
                    let moved = new.remove(at: Int.random(in: new.indices, using: &generator))
                    new.insert(moved, at: Int.random(in: 0...new.count, using: &generator))
                case 2 where !new.isEmpty:
                    new[Int.random(in: new.indices, using: &generator)].lastname = "changed"
                default:
                    let id = Int.random(in: 30..<60, using: &generator)
                    guard !new.contains(where: { $0.id.rawValue == Int64(id) }) else { continue }
                    let place = Int.random(in: 0...new.count, using: &generator)
                    new.insert(Self.user(id, &generator), at: place)
                }
            }
            let difference = ListDifference(from: old, to: new)
            #expect(difference.applied(to: old) == new)
            var applied = old
            difference.apply(to: &applied)
            #expect(applied == new)
            #expect(difference.isEmpty == (old == new))
            let indices = new.compactMap { row in old.firstIndex { $0.id == row.id } }
            #expect(difference.moved.count == indices.count - Self.longestRun(indices))
        }
    }

    @Test(.seeded) func `a list that changes row by row is the one that is sorted anew`() throws {
        var generator = SeededNumbers(seed: Seed.current)
        for _ in 0..<Rounds.of(200) {
            let order = try #require(Self.order(&generator))
            var rows = OrderedRows<User>(order: order)
            var model: [User.ID: User] = [:]
            for id in 0..<Int.random(in: 0...40, using: &generator) {
                model[User.ID(rawValue: Int64(id))] = Self.user(id, &generator)
            }
            var list = try rows.replace(with: Array(model.values)).applied(to: [])
            for _ in 0..<20 {
                var updates: [User.ID: OrderedRows<User>.Update] = [:]
                for _ in 0..<Int.random(in: 0...6, using: &generator) {
                    let number = Int.random(in: 0..<50, using: &generator)
                    let id = User.ID(rawValue: Int64(number))
                    let isGone = Int.random(in: 0..<3, using: &generator) == 0
                    model[id] = isGone ? nil : Self.user(number, &generator)
                    updates[id] = model[id].map { .present($0) } ?? .absent
                }
                let changed = Set(updates.keys)
                let difference = try rows.apply(updates)
                list = difference.applied(to: list)
                let keyed = try model.values.map { ($0, order.key(of: try $0.storedValues())) }
                let expected = keyed.sorted { order.areInOrder($0.1, $1.1) }.map(\.0)
                #expect(list == expected)
                #expect(rows.rows == expected)
                #expect(difference.moved.allSatisfy { changed.contains($0.id) })
            }
        }
    }

    @Test func `a large list is changed in chunks`() throws {
        var generator = SeededNumbers(seed: 1)
        let request = FetchRequest(entity: 0, order: [.init(.column(4), descending: false)])
        var rows = OrderedRows<User>(order: try #require(RowOrder(request, of: User.schema)))
        var list: [User] = []
        for start in stride(from: 0, to: 6_000, by: 500) {
            var updates: [User.ID: OrderedRows<User>.Update] = [:]
            for id in start..<start + 500 {
                let user = Self.user(id, &generator)
                updates[user.id] = .present(user)
            }
            try rows.apply(updates).apply(to: &list)
        }
        #expect(list.count == 6_000)
        #expect(
            list.elementsEqual(list.sorted { ($0.age, $0.id.rawValue) < ($1.age, $1.id.rawValue) }))
        while let id = list.randomElement(using: &generator)?.id, list.count > 10 {
            var updates: [User.ID: OrderedRows<User>.Update] = [id: .absent]
            for row in list.prefix(400) { updates[row.id] = .absent }
            try rows.apply(updates).apply(to: &list)
            #expect(rows.count == list.count)
        }
        #expect(rows.rows == list)
    }

    @Test func `a list keeps its rows when one that cannot be stored is among the changed ones`()
        throws
    {
        var generator = SeededNumbers(seed: 2)
        let request = FetchRequest(entity: 0, order: [.init(.column(4), descending: false)])
        var rows = OrderedRows<User>(order: try #require(RowOrder(request, of: User.schema)))
        _ = try rows.replace(with: (0..<20).map { Self.user($0, &generator) })
        let before = rows.rows
        let other = Self.user(40, &generator)
        // So many that some of them come before the wrong one, whatever their order.
        var updates = [other.id: OrderedRows<User>.Update.present(other), before[5].id: .absent]
        for row in before where row.id != before[5].id {
            updates[row.id] = .present(Self.user(Int(row.id.rawValue), &generator))
        }
        var wrong = before[3]
        wrong.score = .nan
        updates[wrong.id] = .present(wrong)
        let error = #expect(throws: StoreError.self) { try rows.apply(updates) }
        #expect(error?.code == .invalidValue)
        #expect(rows.rows == before)
        #expect(rows.count == 20)
        let difference = try rows.apply([other.id: .present(other), before[5].id: .absent])
        #expect(difference.applied(to: before) == rows.rows)
        #expect(difference.inserted.map(\.element) == [other])
        #expect(difference.removed == [.init(index: 5, id: before[5].id)])
    }

    @Test(.seeded) func `rows are ordered as the store orders them`() async throws {
        let seed = Seed.current
        try await withNotes { dal in
            var generator = SeededNumbers(seed: seed)
            let users: [User] = (1...60).map { id in
                var user = Self.user(id, &generator)
                user.lastname = "\(id)"
                user.email = user.email.map { "\($0)\(id)" }
                return user
            }
            try await dal.write { context in
                for user in users { try User.create(id: user.id, in: context) { $0 = user } }
            }
            for _ in 0..<40 {
                let request = Self.request(&generator, entity: 0)
                let order = try #require(RowOrder(request, of: User.schema))
                let expected = try users.sorted {
                    order.areInOrder(
                        order.key(of: try $0.storedValues()), order.key(of: try $1.storedValues()))
                }
                let found = try await dal.read { context in
                    let entity = try context.position(of: User.self)
                    var request = request
                    request.entity = entity
                    var found: [User] = []
                    try context.query { session in
                        try session.fetch(request) { try User.decodeRows(&$0, into: &found) }
                    }
                    return found
                }
                #expect(found == expected, "\(request.order)")
            }
        }
    }

    @Test func `an order is known only for columns without limit and offset`() {
        func order(_ request: FetchRequest) -> RowOrder? { RowOrder(request, of: User.schema) }
        let age = FetchRequest.Order(.column(4), descending: false)
        #expect(order(FetchRequest(entity: 0, order: [age])) != nil)
        #expect(order(FetchRequest(entity: 0)) != nil)
        #expect(order(FetchRequest(entity: 0, order: [age], limit: 3)) == nil)
        #expect(order(FetchRequest(entity: 0, order: [age], offset: 3)) == nil)
        let folded = FetchRequest.Order(.folded(.column(1)), descending: false)
        #expect(order(FetchRequest(entity: 0, order: [age, folded])) == nil)
    }

    private static func request(_ generator: inout SeededNumbers, entity: Int) -> FetchRequest {
        let keys = [1, 3, 4, 5].shuffled(using: &generator)
            .prefix(Int.random(in: 1...3, using: &generator))
        return FetchRequest(
            entity: entity,
            order: keys.map {
                FetchRequest.Order(.column($0), descending: .random(using: &generator))
            })
    }

    private static func order(_ generator: inout SeededNumbers) -> RowOrder? {
        RowOrder(request(&generator, entity: 0), of: User.schema)
    }
}
