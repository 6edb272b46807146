/// How the sections of a list have become others.
///
/// ```swift
/// var sections: [ListSection<Int, Item>] = []
/// for try await difference in dal.observe(query).sections(by: \.priority).differences {
///     difference.apply(to: &sections)
/// }
/// ```
///
/// To apply it by hand, in this order: take out the rows of `removed` and `moved` at their old places,
/// the last first; take out the sections of `removedSections` and `movedSections`, the last first; put
/// in the sections of `insertedSections`, which are empty, and `movedSections`, the first first; put in
/// the rows of `inserted` and `moved` at their new places, the first first; replace the rows of
/// `updated`.
public struct SectionDifference<Key: Hashable & Sendable, E: Entity>: Sendable {
    /// Where a row is: the index of its section, and its index in that.
    public struct Place: Sendable, Hashable {
        /// The index of the section.
        public let section: Int
        /// The index of the row in the section.
        public let row: Int
    }

    /// A section of the new list that is not in the old one.
    public struct Insertion: Sendable, Hashable {
        /// Its index among the new sections.
        public let index: Int
        /// Its key.
        public let key: Key
    }

    /// A section whose place among the others has changed.
    public struct SectionMove: Sendable, Hashable {
        /// Its index among the old sections.
        public let from: Int
        /// Its index among the new sections.
        public let to: Int
    }

    /// A row that is not in the new list.
    public struct Removal: Sendable, Hashable {
        /// Where it was.
        public let place: Place
        /// Its ID.
        public let id: E.ID
    }

    /// A row of the new list: one that is not in the old list, or whose columns have changed.
    public struct Row: Sendable {
        /// Where it is.
        public let place: Place
        /// The row.
        public let element: E
    }

    /// A row that is in another section, or whose place among the rows of its section has changed.
    public struct Move: Sendable, Hashable {
        /// Where it was.
        public let from: Place
        /// Where it is.
        public let to: Place
        /// Its ID.
        public let id: E.ID
    }

    /// The indices of the sections that are not among the new ones, ascending.
    public private(set) var removedSections: [Int] = []
    /// The sections that are not among the old ones, in the new order.
    public private(set) var insertedSections: [Insertion] = []
    /// The sections whose place among the others has changed, in the new order.
    public private(set) var movedSections: [SectionMove] = []
    /// The rows that are not in the new list, in the old order; also those of removed sections.
    public private(set) var removed: [Removal] = []
    /// The rows that are not in the old list, in the new order; also those of inserted sections.
    public private(set) var inserted: [Row] = []
    /// The rows whose place has changed, in the new order.
    public private(set) var moved: [Move] = []
    /// The rows of both lists whose columns have changed, in the new order.
    public private(set) var updated: [Row] = []
    /// How many rows each old section has.
    private let oldCounts: [Int]

    /// Whether the sections are the same.
    public var isEmpty: Bool {
        removedSections.isEmpty && insertedSections.isEmpty && movedSections.isEmpty
            && removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty
    }

    /// The difference between the sections of two lists, of which neither has an ID or a key twice.
    ///
    /// As few sections and rows as possible count as moved. The time is that of comparing each row
    /// once, and O(n log n) for the moves.
    public init(from old: [ListSection<Key, E>], to new: [ListSection<Key, E>]) {
        oldCounts = old.map(\.rows.count)
        let oldSections = Dictionary(
            old.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        addSections(old, new, oldSections)
        var oldPlaces: [E.ID: Place] = [:]
        for (section, rows) in old.map(\.rows).enumerated() {
            for (row, element) in rows.enumerated() {
                oldPlaces[element.id] = Place(section: section, row: row)
            }
        }
        for (index, section) in new.enumerated() {
            addRows(of: section, at: index, old, oldSections[section.key], &oldPlaces)
        }
        // Those that are left were not found in the new list.
        removed = oldPlaces.map { Removal(place: $1, id: $0) }
            .sorted { $0.place < $1.place }
    }

    private mutating func addSections(
        _ old: [ListSection<Key, E>], _ new: [ListSection<Key, E>], _ oldIndices: [Key: Int]
    ) {
        let newKeys = Set(new.map(\.key))
        removedSections = old.indices.filter { !newKeys.contains(old[$0].key) }
        var common: [(old: Int, new: Int)] = []
        for (index, section) in new.enumerated() {
            if let oldIndex = oldIndices[section.key] {
                common.append((oldIndex, index))
            } else {
                insertedSections.append(Insertion(index: index, key: section.key))
            }
        }
        movedSections = IncreasingSubsequence.others(common, by: { $0.old })
            .map { SectionMove(from: $0.old, to: $0.new) }
    }

    /// Adds the rows of a new section, and removes their old places.
    private mutating func addRows(
        of section: ListSection<Key, E>, at index: Int, _ old: [ListSection<Key, E>],
        _ oldSection: Int?, _ oldPlaces: inout [E.ID: Place]
    ) {
        var moves: [Move] = []
        var common: [Move] = []
        for (row, element) in section.rows.enumerated() {
            let place = Place(section: index, row: row)
            guard let from = oldPlaces.removeValue(forKey: element.id) else {
                inserted.append(Row(place: place, element: element))
                continue
            }
            let move = Move(from: from, to: place, id: element.id)
            if from.section == oldSection { common.append(move) } else { moves.append(move) }
            if !element.changedColumns(from: old[from.section].rows[from.row]).isEmpty {
                updated.append(Row(place: place, element: element))
            }
        }
        moves += IncreasingSubsequence.others(common, by: { $0.from.row })
        moved += moves.sorted { $0.to < $1.to }
    }

    /// The new sections.
    ///
    /// - Parameter sections: The old sections; others stop the program where the numbers of their rows
    ///   differ.
    public func applied(to sections: [ListSection<Key, E>]) -> [ListSection<Key, E>] {
        precondition(
            sections.map(\.rows.count) == oldCounts,
            "A difference of sections was applied to others than those it was made from. Apply each difference once, to the sections that the one before has made."
        )
        let leavingSections = Set(removedSections + movedSections.map(\.from))
        let leaving = Set(removed.map(\.place) + moved.map(\.from))
        var staying = sections
        for (index, section) in sections.enumerated() {
            staying[index].rows = section.rows.indices
                .filter { !leaving.contains(Place(section: index, row: $0)) }
                .map { section.rows[$0] }
        }
        var result = ListFilling.fill(
            staying.indices.filter { !leavingSections.contains($0) }.map { staying[$0] },
            insertedSections.map { ($0.index, ListSection(key: $0.key, rows: [])) },
            movedSections.map { ($0.to, staying[$0.from]) })
        let inserted = Dictionary(grouping: inserted, by: \.place.section)
        let moved = Dictionary(grouping: moved, by: \.to.section)
        for index in result.indices {
            result[index].rows = ListFilling.fill(
                result[index].rows, inserted[index, default: []].map { ($0.place.row, $0.element) },
                moved[index, default: []].map { move in
                    (move.to.row, sections[move.from.section].rows[move.from.row])
                })
        }
        for row in updated { result[row.place.section].rows[row.place.row] = row.element }
        return result
    }

    /// Makes the old sections the new ones.
    ///
    /// - Parameter sections: The old sections; others stop the program where the numbers of their rows
    ///   differ.
    public func apply(to sections: inout [ListSection<Key, E>]) { sections = applied(to: sections) }
}

extension SectionDifference.Place: Comparable {
    /// Compares the sections, then the rows.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.row) < (right.section, right.row)
    }
}
