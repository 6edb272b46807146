import SkiathosStore

/// The interests of all live queries of a store, found by the values of a changed row.
///
/// An equality is found by hash, a range by an interval tree; only conditions that allow neither are
/// tested one by one. What is found is then tested with the whole condition.
struct InterestIndex {
    /// The interests in one entity.
    fileprivate struct Entries {
        var interests: [Int: Entry] = [:]
        /// By column and value, the numbers of interests in rows with that value.
        var equalities: [Int: [StoreValue: Set<Int>]] = [:]
        /// By column, the numbers of interests in rows with a value in a range.
        var ranges: [Int: IntervalIndex<Int>] = [:]
        /// The numbers of the others.
        var others: Set<Int> = []
    }

    fileprivate struct Entry {
        let interest: Interest
        let query: any AnyLiveQuery
        /// Where its range is, if it has one.
        var range: IntervalIndex<Int>.Handle?
    }

    private var entities: [Int: Entries] = [:]
    private var lastNumber = 0

    /// Adds an interest of a query, and returns the number by which it is removed.
    mutating func insert(_ interest: Interest, of query: any AnyLiveQuery) -> Int {
        lastNumber += 1
        let number = lastNumber
        var entry = Entry(interest: interest, query: query, range: nil)
        // Taken out, so that it is changed in place.
        var entries = entities.removeValue(forKey: interest.entity) ?? Entries()
        switch interest.condition?.path ?? .none {
        case .equal(let column, let values):
            for value in values {
                entries.equalities[column, default: [:]][value, default: []].insert(number)
            }
        case .range(let column, let range):
            entry.range = entries.ranges[column, default: IntervalIndex()]
                .insert(range, at: number)
        case .never: break
        case .none: entries.others.insert(number)
        }
        entries.interests[number] = entry
        entities[interest.entity] = entries
        return number
    }

    /// Removes an interest and returns it, if it is there.
    @discardableResult
    mutating func remove(_ number: Int, of entity: Int) -> Interest? {
        guard var entries = entities.removeValue(forKey: entity) else { return nil }
        defer { if !entries.interests.isEmpty { entities[entity] = entries } }
        guard let entry = entries.interests.removeValue(forKey: number) else { return nil }
        switch entry.interest.condition?.path ?? .none {
        case .equal(let column, let values):
            for value in values {
                entries.equalities[column]?[value]?.remove(number)
                if entries.equalities[column]?[value]?.isEmpty == true {
                    entries.equalities[column]?[value] = nil
                }
            }
        case .range(let column, _):
            if let range = entry.range { entries.ranges[column]?.remove(range) }
        case .never: break
        case .none: entries.others.remove(number)
        }
        return entry.interest
    }

    /// Calls a closure with each query to which the changes of a batch matter, perhaps more than
    /// once.
    func forEachAffected(by changes: BatchChanges, _ body: (any AnyLiveQuery) -> Void) {
        for (entity, rows) in changes.entities {
            guard let entries = entities[entity] else { continue }
            switch rows {
            case .unknown: for entry in entries.interests.values { body(entry.query) }
            case .known(let rows):
                for row in rows { entries.forEachAffected(by: row, body) }
            }
        }
    }
}

extension InterestIndex.Entries {
    func forEachAffected(by row: ChangedRow, _ body: (any AnyLiveQuery) -> Void) {
        func test(_ number: Int) {
            guard let entry = interests[number], entry.interest.isAffected(by: row) else { return }
            body(entry.query)
        }
        for (column, values) in equalities {
            forEachValue(of: column, in: row) { value in
                if let numbers = values[value] { for number in numbers { test(number) } }
            }
        }
        for (column, ranges) in ranges {
            forEachValue(of: column, in: row) { value in
                ranges.forEach(containing: value) { test($0) }
            }
        }
        for number in others { test(number) }
    }

    /// Calls a closure with the value of a column before and after a change, once if it is the
    /// same.
    private func forEachValue(of column: Int, in row: ChangedRow, _ body: (StoreValue) -> Void) {
        if let before = row.before { body(before[column]) }
        if let after = row.after, row.before == nil || row.columns.contains(column) {
            body(after[column])
        }
    }
}
