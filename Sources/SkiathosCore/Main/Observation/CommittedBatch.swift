import SkiathosStore

/// One commit, or the loss of a batch that reads could see, as observers are notified of it.
struct CommittedBatch: Sendable {
    /// The number of the commit in this process, from 1.
    let number: UInt64
    /// The version that the commit has made; `nil` if that is not known, or if the batch was lost.
    let version: UInt64?
    /// The records of the writes, in the order of the merges.
    let records: [ChangeRecord]
    /// The feeds that are notified, as they were registered at the commit.
    let feeds: [ChangeBuffer]
    /// The feeds that may have missed changes of the batch.
    let incompleteFeeds: [ChangeBuffer]
    /// The entities of which rows may have changed that are in no record.
    let unrecorded: EntityMask

    /// The entities of which rows may have changed that are in a record.
    var touched: EntityMask { records.reduce([]) { $0.union($1.touched) } }

    /// Whether a feed is notified.
    var hasFeeds: Bool { !feeds.isEmpty || !incompleteFeeds.isEmpty }

    /// How many changed rows it holds; a batch without any counts as one.
    var size: Int {
        var count = 0
        for record in records { for step in record.steps { count += step.count } }
        return max(1, count)
    }

    /// Whether it has so few changed rows that looking at them takes less time than having another
    /// thread do it, and no feed takes them.
    var isSmall: Bool { !hasFeeds && size <= 8 }

    /// The same without the changed rows: any row of the entities that it has touched may have changed.
    ///
    /// No feed takes it.
    var withoutRows: CommittedBatch {
        CommittedBatch(
            number: number, version: version, records: [], feeds: [], incompleteFeeds: [],
            unrecorded: unrecorded.union(touched))
    }

    /// This batch and the next one, neither of which holds rows, as one.
    func followed(by next: CommittedBatch) -> CommittedBatch {
        CommittedBatch(
            number: next.number, version: next.version, records: [], feeds: [], incompleteFeeds: [],
            unrecorded: unrecorded.union(next.unrecorded))
    }
}

/// The changed rows of a batch, by entity, as they are matched against interests.
struct BatchChanges: Sendable {
    /// The changes of one entity.
    enum Rows: Sendable {
        /// Any row may have changed.
        case unknown
        /// The changed rows, in the order of the writes; one that several writes have changed
        /// appears once for each.
        case known([ChangedRow])
    }

    /// An entity of which rows have changed, or may have.
    struct Entity: Sendable {
        /// The position of the entity.
        let position: Int
        /// The columns whose values are in the rows; others may be null or, behind the last of these,
        /// absent.
        let columns: ColumnSet
        let rows: Rows
    }

    /// The number of the batch.
    let number: UInt64
    /// The version that it has made; `nil` if that is not known, or if the batch was lost.
    let version: UInt64?
    /// The changed entities, each once.
    let entities: [Entity]

    init(number: UInt64, version: UInt64? = nil, _ entities: [Entity] = []) {
        self.number = number
        self.version = version
        self.entities = entities
    }

    /// - Parameters:
    ///   - batch: The batch.
    ///   - columns: The columns whose values are needed, for each entity of the store.
    init(_ batch: CommittedBatch, _ columns: [ColumnSet]) {
        let touched = batch.touched.union(batch.unrecorded)
        var entities: [Entity] = []
        for position in columns.indices where touched.contains(entity: position) {
            let rows =
                batch.unrecorded.contains(entity: position)
                ? .unknown : Self.rows(of: position, in: batch.records, columns[position])
            guard let rows else { continue }
            entities.append(Entity(position: position, columns: columns[position], rows: rows))
        }
        self.init(number: batch.number, version: batch.version, entities)
    }

    /// - Parameters:
    ///   - batch: The batch.
    ///   - entityCount: How many entities the store has.
    init(_ batch: CommittedBatch, entityCount: Int) {
        self.init(batch, [ColumnSet](repeating: .all, count: entityCount))
    }

    /// The changes of an entity; `nil` if there are none.
    func rows(of entity: Int) -> Rows? { entities.first { $0.position == entity }?.rows }

    /// Whether the rows have the values of these columns, which are given for each entity of the
    /// store.
    func contain(_ columns: [ColumnSet]) -> Bool {
        entities.allSatisfy { columns[$0.position].isSubset(of: $0.columns) }
    }

    /// How many changed rows it holds; a batch without any counts as one.
    var size: Int {
        let count = entities.reduce(0) { count, entity in
            guard case .known(let known) = entity.rows else { return count }
            return count + known.count
        }
        return max(1, count)
    }

    private static func rows(
        of entity: Int, in records: [ChangeRecord], _ columns: ColumnSet
    ) -> Rows? {
        var rows: [ChangedRow] = []
        for record in records where record.touched.contains(entity: entity) {
            guard !record.unknown.contains(entity: entity) else { return .unknown }
            do {
                try record.forEachRow(of: entity, columns) { rows.append($0) }
            } catch {
                // A value that was stored can be stored again; if not, the row is read.
                return .unknown
            }
        }
        return rows.isEmpty ? nil : .known(rows)
    }
}
