import Skiathos

/// A row that goes with the one that it grows on.
struct Twig: Sendable {
    var id: EntityID<Twig> = .unassigned
    var age = 0
    var parent: Twig.ID?
}

extension Twig: TableEntity {
    init(id: Twig.ID) { self.id = id }

    static let table = EntityTable("twig", id: \Twig.id) {
        EntityColumn("age", \.age, .indexed)
        EntityColumn("parent", \.parent, .references(onDelete: .cascade))
    }
}

/// The same rows in plain Swift.
struct Twigs: Equatable {
    struct Row: Equatable {
        var age: Int
        var parent: Int64?
    }

    var rows: [Int64: Row] = [:]

    var ids: [Int64] { rows.keys.sorted() }

    mutating func delete(_ id: Int64) {
        guard rows.removeValue(forKey: id) != nil else { return }
        for child in ids where rows[child]?.parent == id { delete(child) }
    }

    mutating func deleteAll(where condition: (Row) -> Bool) {
        for id in ids where rows[id].map(condition) ?? false { delete(id) }
    }
}

/// A query of twigs, and what it selects in plain Swift.
struct TwigQuery: CustomStringConvertible {
    enum Order: CaseIterable {
        case ids
        case ages
        case falling
        case remainders
    }

    var leastAge: Int
    var order: Order
    var limit: Int?
    var offset: Int

    init(_ numbers: inout some RandomNumberGenerator) {
        leastAge = Bool.random(using: &numbers) ? .min : Int.random(in: 0..<20, using: &numbers)
        order = Order.allCases.randomElement(using: &numbers) ?? .ids
        limit = Bool.random(using: &numbers) ? nil : Int.random(in: 0..<40, using: &numbers)
        offset = Bool.random(using: &numbers) ? 0 : Int.random(in: 0..<10, using: &numbers)
    }

    var description: String { "age >= \(leastAge) by \(order), \(limit ?? -1) after \(offset)" }

    var query: Query<Twig> {
        let (leastAge, order) = (leastAge, order)
        return Twig.where { $0.age >= leastAge }.order {
            switch order {
            case .ids: []
            case .ages: [$0.age.ascending]
            case .falling: [$0.age.descending]
            case .remainders: [($0.age % 3).ascending]
            }
        }
        .limit(limit).offset(offset)
    }

    func ids(in twigs: Twigs) -> [Int64] {
        let found = twigs.rows.filter { $0.value.age >= leastAge }
            .map { (id: $0.key, key: key(of: $0.value.age)) }
            .sorted { ($0.key, $0.id) < ($1.key, $1.id) }
        return Array(found.map(\.id).dropFirst(offset).prefix(limit ?? .max))
    }

    private func key(of age: Int) -> Int {
        switch order {
        case .ids: 0
        case .ages: age
        case .falling: -age
        case .remainders: age % 3
        }
    }
}
