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

    /// Whether a feed is notified.
    var hasFeeds: Bool { !feeds.isEmpty || !incompleteFeeds.isEmpty }

    /// Whether it has so few changed rows that looking at them takes less time than having another
    /// thread do it, and no feed takes them.
    var isSmall: Bool {
        guard !hasFeeds else { return false }
        var count = 0
        for record in records { for rows in record.rows.values { count += rows.count } }
        return count <= 8
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

    /// The number of the batch.
    let number: UInt64
    /// The version that it has made; `nil` if that is not known, or if the batch was lost.
    let version: UInt64?
    /// The changes by the position of the entity; those that are absent were not changed.
    let entities: [Int: Rows]

    init(number: UInt64, version: UInt64? = nil, rows: [Int: Rows]) {
        self.number = number
        self.version = version
        entities = rows
    }

    /// - Parameters:
    ///   - batch: The batch.
    ///   - entityCount: How many entities the store has.
    init(_ batch: CommittedBatch, entityCount: Int) {
        number = batch.number
        version = batch.version
        var entities: [Int: Rows] = [:]
        let touched = EntityMask(batch.records.map(\.touched)).union(batch.unrecorded)
        for entity in 0..<entityCount where touched.contains(entity: entity) {
            entities[entity] =
                batch.unrecorded.contains(entity: entity)
                ? .unknown : Self.rows(of: entity, in: batch.records)
        }
        self.entities = entities
    }

    /// How many changed rows are held.
    var rowCount: Int {
        entities.values.reduce(0) { count, rows in
            guard case .known(let known) = rows else { return count }
            return count + known.count
        }
    }

    private static func rows(of entity: Int, in records: [ChangeRecord]) -> Rows? {
        var rows: [ChangedRow] = []
        for record in records where record.touched.contains(entity: entity) {
            guard !record.unknown.contains(entity: entity) else { return .unknown }
            do {
                try record.rows[entity]?.forEachRow { rows.append($0) }
            } catch {
                // A value that was stored can be stored again; if not, the row is read.
                return .unknown
            }
        }
        return rows.isEmpty ? nil : .known(rows)
    }
}
