import SkiathosStore

/// The interests of all live queries of a store, found by the values of a changed row.
///
/// An equality is found by hash, a range by an interval tree; only conditions that allow neither are
/// tested one by one, if one of the columns differs on which they depend; those that search for a text,
/// side by side. What is found is then tested with the whole condition.
struct InterestIndex {
    /// The interests in one entity.
    fileprivate struct Entries {
        var interests: [Int: Entry] = [:]
        /// By column and value, the numbers of interests in rows with that value.
        var equalities = ByColumn<[StoreValue: NumberSet]>()
        /// By column, the numbers of interests in rows with a value in a range.
        var ranges = ByColumn<IntervalIndex<Int>>()
        /// Those in rows with a text in a column, by what else they have in common.
        var texts: [TextInterests.Shape: TextInterests] = [:]
        /// The others, which are tested one by one, by the columns on which they depend.
        ///
        /// Here once more, side by side: testing them reads as little memory as there may be.
        var others: [ColumnSet: [Int: Interest]] = [:]

        /// How many sets of columns, and shapes of searches for texts, are told apart: the thread that
        /// commits looks at each of them.
        private static var groupLimit: Int { 16 }

        /// The key in `texts` of an interest that is inserted, and its text; `nil` if it is one of the
        /// others.
        func text(of interest: Interest) -> (shape: TextInterests.Shape, text: [UInt8])? {
            guard let (search, text) = interest.condition?.textSearch else { return nil }
            let shape = TextInterests.Shape(search: search, columns: interest.columns)
            return texts[shape] != nil || texts.count < Self.groupLimit ? (shape, text) : nil
        }

        /// The key in `others` of an interest that is inserted.
        func group(of interest: Interest) -> ColumnSet {
            let columns = interest.decisiveColumns
            let isApart = others[columns] != nil || others.count < Self.groupLimit
            return isApart ? columns : .all
        }
    }

    /// A class, so that finding an interest copies nothing.
    fileprivate final class Entry: Sendable {
        let interest: Interest
        let query: any AnyLiveQuery
        /// Where its range is, if it has one.
        let range: IntervalIndex<Int>.Handle?
        /// Among which searches for texts it is, if it is one.
        let shape: TextInterests.Shape?
        /// Where it is among the others, if it is one of them.
        let group: ColumnSet?

        init(
            _ interest: Interest, of query: any AnyLiveQuery,
            range: IntervalIndex<Int>.Handle? = nil, shape: TextInterests.Shape? = nil,
            group: ColumnSet? = nil
        ) {
            self.interest = interest
            self.query = query
            self.range = range
            self.shape = shape
            self.group = group
        }
    }

    /// By the position of the entity; `nil` for one without interests.
    private var entities: [Entries?] = []
    private var lastNumber = 0

    /// Adds an interest of a query, and returns the number by which it is removed.
    mutating func insert(_ interest: Interest, of query: any AnyLiveQuery) -> Int {
        lastNumber += 1
        let number = lastNumber
        var entry = Entry(interest, of: query)
        while entities.count <= interest.entity { entities.append(nil) }
        // Taken out, so that it is changed in place.
        var entries = entities[interest.entity].take() ?? Entries()
        switch interest.condition?.path ?? .none {
        case .equal(let column, let values):
            for value in values {
                entries.equalities[column, default: [:]][value, default: NumberSet()]
                    .insert(number)
            }
        case .range(let column, let range):
            let handle = entries.ranges[column, default: IntervalIndex()]
                .insert(range, at: number)
            entry = Entry(interest, of: query, range: handle)
        case .never: break
        case .none:
            if let (shape, text) = entries.text(of: interest) {
                entry = Entry(interest, of: query, shape: shape)
                entries.texts[shape, default: TextInterests(shape)].insert(text, as: number)
                break
            }
            let group = entries.group(of: interest)
            entry = Entry(interest, of: query, group: group)
            entries.others[group, default: [:]][number] = interest
        }
        entries.interests[number] = entry
        entities[interest.entity] = entries
        return number
    }

    /// Removes an interest and returns it, if it is there.
    @discardableResult
    mutating func remove(_ number: Int, of entity: Int) -> Interest? {
        guard entities.indices.contains(entity), var entries = entities[entity].take() else {
            return nil
        }
        defer { if !entries.interests.isEmpty { entities[entity] = entries } }
        guard let entry = entries.interests.removeValue(forKey: number) else { return nil }
        switch entry.interest.condition?.path ?? .none {
        case .equal(let column, let values):
            for value in values {
                entries.equalities[column, default: [:]][value]?.remove(number)
                if entries.equalities[column, default: [:]][value]?.isEmpty == true {
                    entries.equalities[column, default: [:]][value] = nil
                }
            }
        case .range(let column, _):
            if let range = entry.range {
                entries.ranges[column, default: IntervalIndex()].remove(range)
            }
        case .never: break
        case .none:
            if let shape = entry.shape {
                entries.texts[shape]?.remove(number)
                if entries.texts[shape]?.isEmpty == true { entries.texts[shape] = nil }
            }
            if let group = entry.group {
                entries.others[group]?[number] = nil
                if entries.others[group]?.isEmpty == true { entries.others[group] = nil }
            }
        }
        return entry.interest
    }

    /// Calls a closure with each query to which the changes of a batch matter, perhaps more than
    /// once.
    func forEachAffected(by changes: BatchChanges, _ body: (any AnyLiveQuery) -> Void) {
        for entity in changes.entities {
            guard let entries = entries(of: entity) else { continue }
            switch entity.rows {
            case .unknown: for entry in entries.interests.values { body(entry.query) }
            case .known(let rows):
                for row in rows {
                    entries.allTests(of: row) { number, isAffected in
                        if isAffected, let entry = entries.interests[number] { body(entry.query) }
                        return true
                    }
                }
            }
        }
    }

    /// The queries to which the changes of a batch matter, each once, where a few tests find them.
    ///
    /// - Parameters:
    ///   - limit: How many interests are tested at the most.
    ///   - count: How many queries are found at the most.
    /// - Returns: `nil` if there are more of either, or if it is not known which rows have changed.
    func affected(
        by changes: BatchChanges, testing limit: Int, upTo count: Int
    ) -> [any AnyLiveQuery]? {
        var tests = 0
        var affected: [any AnyLiveQuery] = []
        for entity in changes.entities {
            guard let entries = entries(of: entity) else { continue }
            guard case .known(let rows) = entity.rows else { return nil }
            for row in rows {
                let areFew = entries.allTests(of: row) { number, isAffected in
                    tests += 1
                    if isAffected, let entry = entries.interests[number],
                        !affected.contains(where: { $0 === entry.query })
                    {
                        affected.append(entry.query)
                    }
                    return tests <= limit && affected.count <= count
                }
                guard areFew else { return nil }
            }
        }
        return affected
    }

    private func entries(of entity: BatchChanges.Entity) -> Entries? {
        entities.indices.contains(entity.position) ? entities[entity.position] : nil
    }
}

/// A value for each of few columns, which are searched faster than a dictionary hashes one.
private struct ByColumn<Value: Sendable>: Sendable, Sequence {
    private var values: [(column: Int, value: Value)] = []

    subscript(column: Int, default fallback: @autoclosure () -> Value) -> Value {
        _read {
            if let place = place(of: column) { yield values[place].value } else { yield fallback() }
        }
        _modify {
            if place(of: column) == nil { values.append((column, fallback())) }
            yield &values[place(of: column) ?? 0].value
        }
    }

    func makeIterator() -> IndexingIterator<[(column: Int, value: Value)]> {
        values.makeIterator()
    }

    private func place(of column: Int) -> Int? { values.firstIndex { $0.column == column } }
}

extension InterestIndex.Entries {
    /// Tests each interest that the change of a row may concern, perhaps twice, and calls a closure with
    /// its number and whether it is affected, until it returns `false`; returns whether it never did.
    @discardableResult
    func allTests(
        of row: ChangedRow, _ body: (_ number: Int, _ isAffected: Bool) -> Bool
    ) -> Bool {
        func test(_ number: Int) -> Bool {
            interests[number].map { body(number, $0.interest.isAffected(by: row)) } ?? true
        }
        for (column, values) in equalities {
            let areTested = allValues(of: column, in: row) { value in
                values[value]?.allSatisfy(test) ?? true
            }
            guard areTested else { return false }
        }
        for (column, ranges) in ranges {
            let areTested = allValues(of: column, in: row) { value in
                ranges.allSatisfy(containing: value, test)
            }
            guard areTested else { return false }
        }
        return texts.values.allSatisfy { $0.allTests(of: row, body) }
            && others.allSatisfy { columns, group in
                !row.mayMatter(by: columns)
                    || group.allSatisfy { body($0.key, $0.value.isAffected(by: row)) }
            }
    }

    /// Calls a closure with the value of a column before and after a change, once if it is the
    /// same; returns whether it never returned `false`.
    private func allValues(
        of column: Int, in row: ChangedRow, _ body: (StoreValue) -> Bool
    ) -> Bool {
        if let before = row.before, !body(before[column]) { return false }
        guard let after = row.after, row.before == nil || row.columns.contains(column)
        else { return true }
        return body(after[column])
    }
}

/// A set of numbers, which takes no memory of its own while there is one of them: most values are
/// those of IDs that one query observes.
private enum NumberSet: Sendable {
    case none
    case one(Int)
    case many(Set<Int>)

    init() { self = .none }

    var isEmpty: Bool {
        switch self {
        case .none: true
        case .one: false
        case .many(let numbers): numbers.isEmpty
        }
    }

    mutating func insert(_ number: Int) {
        switch self {
        case .none: self = .one(number)
        case .one(number): break
        case .one(let other): self = .many([other, number])
        case .many(var numbers):
            // Taken out, so that it is changed in place.
            self = .none
            numbers.insert(number)
            self = .many(numbers)
        }
    }

    mutating func remove(_ number: Int) {
        switch self {
        case .one(number): self = .none
        case .none, .one: break
        case .many(var numbers):
            self = .none
            numbers.remove(number)
            self = .many(numbers)
        }
    }

    func allSatisfy(_ body: (Int) -> Bool) -> Bool {
        switch self {
        case .none: true
        case .one(let number): body(number)
        case .many(let numbers): numbers.allSatisfy(body)
        }
    }
}
