import SkiathosStore

/// Computes the list of a query from the one before and the rows that were changed since.
///
/// It throws ``Undecided`` where only a read can tell the list.
struct ListComputation<E: Entity> {
    /// The changed rows do not lead from the list to another one in a way that is known.
    struct Undecided: Error {}

    /// A part of the list that changes: a row that is put in, taken out or replaced.
    private struct Edit {
        /// The index of the row that is taken out or replaced, or before which one is put in.
        let index: Int
        let takesOut: Bool
        let row: E?
    }

    private let rules: ListRules
    private let list: [E]
    /// The rows that are taken out or replaced.
    private var replaced: [Edit] = []
    /// The rows that are put in, and what decides their places.
    private var inserted: [(key: [StoreValue], row: E)] = []

    private init(_ list: [E], _ rules: ListRules) {
        self.list = list
        self.rules = rules
    }

    /// The list after some changes; `nil` if it is the same.
    ///
    /// - Parameters:
    ///   - list: The list before them, as the store has sorted it.
    ///   - changes: Changed rows, in order; each begins as the one before of the same row has ended.
    ///   - rules: The rules of the query.
    static func list(
        _ list: [E], after changes: [ChangedRow], _ rules: ListRules
    ) throws -> [E]? {
        var computation = ListComputation(list, rules)
        if rules.order.hasKeys {
            for change in net(changes) { try computation.addSorted(change) }
        } else {
            try computation.addUnsorted(net(changes))
        }
        return try computation.result
    }

    private static func net(_ changes: [ChangedRow]) -> [ChangedRow] {
        guard changes.count > 1 else { return changes }
        var net = NetRowChanges()
        for change in changes { net.add(change.before, change.after) }
        return net.outcome
    }

    private mutating func addSorted(_ change: ChangedRow) throws {
        let (wasIn, isIn) = try membership(change)
        let old = wasIn ? try change.before.map { try index(of: rules.order.key(of: $0)) } : nil
        guard isIn, let after = change.after else {
            if let old { replaced.append(Edit(index: old, takesOut: true, row: nil)) }
            return
        }
        let row = try E(committed: after)
        guard let old else { return inserted.append((rules.order.key(of: after), row)) }
        guard !row.changedColumns(from: list[old]).isEmpty else { return }
        let stays = change.columns.isDisjoint(with: rules.placeColumns)
        replaced.append(Edit(index: old, takesOut: true, row: stays ? row : nil))
        if !stays { inserted.append((rules.order.key(of: after), row)) }
    }

    /// Adds the changes of a query whose order the store alone knows.
    ///
    /// It is the same as long as no row comes, and none differs in a column by which the store may find
    /// it.
    private mutating func addUnsorted(_ changes: [ChangedRow]) throws {
        var rows: [E.ID: E?] = [:]
        for change in changes {
            let (wasIn, isIn) = try membership(change)
            guard let before = change.before, wasIn else {
                if isIn { throw Undecided() }
                continue
            }
            let id = try ValueRow([before[0]]).read { try E.ID(row: $0, column: 0) }
            if isIn, let after = change.after {
                guard change.columns.isDisjoint(with: rules.placeColumns) else { throw Undecided() }
                rows[id] = .some(try E(committed: after))
            } else {
                rows[id] = .some(nil)
            }
        }
        guard !rows.isEmpty else { return }
        for (index, old) in list.enumerated() {
            guard let row = rows.removeValue(forKey: old.id) else { continue }
            if row?.changedColumns(from: old).isEmpty != true {
                replaced.append(Edit(index: index, takesOut: true, row: row))
            }
            if rows.isEmpty { return }
        }
        throw Undecided()
    }

    /// Whether a row was one of the list, and is one.
    private func membership(_ change: ChangedRow) throws -> (wasIn: Bool, isIn: Bool) {
        guard let wasIn = rules.contains(change.before), let isIn = rules.contains(change.after)
        else { throw Undecided() }
        return (wasIn, isIn)
    }

    /// The new list; `nil` if nothing changes.
    private var result: [E]? {
        get throws {
            guard !replaced.isEmpty || !inserted.isEmpty else { return nil }
            var result: [E] = []
            result.reserveCapacity(list.count + inserted.count)
            var next = 0
            for edit in try edits {
                result += list[next..<edit.index]
                if let row = edit.row { result.append(row) }
                next = edit.takesOut ? edit.index + 1 : edit.index
            }
            result += list[next...]
            return result
        }
    }

    /// All edits in the order of the list.
    private var edits: [Edit] {
        get throws {
            let leaving = replaced.sorted { $0.index < $1.index }
            guard !inserted.isEmpty else { return leaving }
            let arriving = try inserted.sorted { rules.order.areInOrder($0.key, $1.key) }
                .map { Edit(index: try place(of: $0.key), takesOut: false, row: $0.row) }
            var edits: [Edit] = []
            edits.reserveCapacity(leaving.count + arriving.count)
            var next = 0
            for edit in leaving {
                while next < arriving.count, arriving[next].index <= edit.index {
                    edits.append(arriving[next])
                    next += 1
                }
                edits.append(edit)
            }
            return edits + arriving[next...]
        }
    }

    /// The index of the row before which one with a key is put in.
    private func place(of key: [StoreValue]) throws -> Int {
        let index = try firstIndex(notBefore: key)
        guard try isRow(at: index, with: key) else { return index }
        // Without a change of that row, it is in the list already.
        guard replaced.contains(where: { $0.index == index }) else { throw Undecided() }
        return index
    }

    /// The index of the row with a key.
    private func index(of key: [StoreValue]) throws -> Int {
        let index = try firstIndex(notBefore: key)
        guard try isRow(at: index, with: key) else { throw Undecided() }
        return index
    }

    /// Whether the row at the first index that does not come before a key has it.
    private func isRow(at index: Int, with key: [StoreValue]) throws -> Bool {
        try index < list.count && !rules.order.areInOrder(key, self.key(at: index))
    }

    /// The index of the first row that does not come before a key.
    private func firstIndex(notBefore key: [StoreValue]) throws -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if rules.order.areInOrder(try self.key(at: middle), key) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    private func key(at index: Int) throws -> [StoreValue] {
        rules.order.key(of: try list[index].storedValues(rules.order.columns))
    }
}
