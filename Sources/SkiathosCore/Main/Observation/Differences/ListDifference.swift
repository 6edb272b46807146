import SkiathosStore

/// How an ordered list of rows has become another one.
///
/// ```swift
/// var users: [User] = []
/// for try await difference in dal.observe(User.order { $0.age }).differences {
///     difference.apply(to: &users)        // equals the result of the query now
///     for row in difference.inserted { print("new at \(row.index): \(row.element.name)") }
/// }
/// ```
///
/// To apply it by hand, in this order: take out the rows of `removed` and `moved` at their indices in
/// the old list, the greatest index first; put in the rows of `inserted` and `moved` at their indices
/// in the new list, the smallest index first; replace the rows of `updated` at their indices in the
/// new list. A row that has moved and changed is in both lists.
public struct ListDifference<E: Entity>: Sendable {
    /// A row that is not in the new list.
    public struct Removal: Sendable, Hashable {
        /// Its index in the old list.
        public let index: Int
        /// Its ID.
        public let id: E.ID
    }

    /// A row of the new list: one that is not in the old list, or whose columns have changed.
    public struct Row: Sendable {
        /// Its index in the new list.
        public let index: Int
        /// The row.
        public let element: E
    }

    /// A row whose place among the others has changed.
    public struct Move: Sendable, Hashable {
        /// Its index in the old list.
        public let from: Int
        /// Its index in the new list.
        public let to: Int
        /// Its ID.
        public let id: E.ID
    }

    /// How many rows the old list has.
    public let oldCount: Int
    /// How many rows the new list has.
    public let newCount: Int
    /// The rows that are not in the new list, in the order of the old one.
    public let removed: [Removal]
    /// The rows that are not in the old list, in the order of the new one.
    public let inserted: [Row]
    /// The rows whose place among the others has changed, in the order of the new list.
    public let moved: [Move]
    /// The rows of both lists whose columns have changed, in the order of the new list.
    public let updated: [Row]

    /// Whether both lists are the same.
    public var isEmpty: Bool {
        removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }

    /// The difference between two lists, of which neither has an ID twice.
    ///
    /// As few rows as possible count as moved. The time is that of comparing each row once, and
    /// O(n log n) for the moves.
    public init(from old: [E], to new: [E]) {
        let oldIndices = Dictionary(
            old.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        var inserted: [Row] = []
        var updated: [Row] = []
        var common: [(old: Int, new: Int)] = []
        var isKept = [Bool](repeating: false, count: old.count)
        for (index, element) in new.enumerated() {
            guard let oldIndex = oldIndices[element.id] else {
                inserted.append(Row(index: index, element: element))
                continue
            }
            isKept[oldIndex] = true
            common.append((oldIndex, index))
            if !element.changedColumns(from: old[oldIndex]).isEmpty {
                updated.append(Row(index: index, element: element))
            }
        }
        self.init(
            oldCount: old.count, newCount: new.count,
            removed: old.indices.filter { !isKept[$0] }.map { Removal(index: $0, id: old[$0].id) },
            inserted: inserted,
            moved: Self.moves(common.map { ($0.old, $0.new, new[$0.new].id) }), updated: updated)
    }

    init(
        oldCount: Int, newCount: Int, removed: [Removal], inserted: [Row], moved: [Move],
        updated: [Row]
    ) {
        self.oldCount = oldCount
        self.newCount = newCount
        self.removed = removed
        self.inserted = inserted
        self.moved = moved
        self.updated = updated
    }

    /// The rows that have to move, of rows in the order of the new list.
    static func moves(_ rows: [(old: Int, new: Int, id: E.ID)]) -> [Move] {
        IncreasingSubsequence.others(rows, by: { $0.old })
            .map { Move(from: $0.old, to: $0.new, id: $0.id) }
    }

    /// The new list.
    ///
    /// - Parameter list: The old list; a list of another length stops the program.
    public func applied(to list: [E]) -> [E] {
        requireCount(list)
        var leaving = removed.map(\.index) + moved.map(\.from)
        leaving.sort()
        var next = 0
        var staying: [E] = []
        staying.reserveCapacity(list.count - leaving.count)
        for (index, element) in list.enumerated() {
            if next < leaving.count, leaving[next] == index {
                next += 1
            } else {
                staying.append(element)
            }
        }
        var result = ListFilling.fill(
            staying, inserted.map { ($0.index, $0.element) },
            moved.map { ($0.to, list[$0.from]) })
        for row in updated { result[row.index] = row.element }
        return result
    }

    /// Makes the old list the new one.
    ///
    /// - Parameter list: The old list; a list of another length stops the program.
    public func apply(to list: inout [E]) {
        requireCount(list)
        if inserted.isEmpty, moved.isEmpty, removed.isEmpty {
            for row in updated { list[row.index] = row.element }
        } else {
            list = applied(to: list)
        }
    }

    private func requireCount(_ list: [E]) {
        precondition(
            list.count == oldCount,
            "A difference of a list of \(oldCount) rows was applied to one of \(list.count). Apply each difference once, to the list that the one before has made."
        )
    }
}
