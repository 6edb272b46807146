import SkiathosStore

/// What was fetched together in one context, and what was loaded for it since.
///
/// A relationship of one row is loaded for all rows that were fetched together with it, so that no
/// loop turns into as many statements as it has rounds.
final class FetchedBatch {
    /// What was loaded for the rows.
    struct Key: Hashable {
        /// The request without the owners; of a to-one relationship, all rows of the target.
        var request: FetchRequest
        /// The reference of a to-one relationship.
        var reference: Int?
        var isCount: Bool
    }

    // All guarded by the context that the batch belongs to: its closure runs on one thread at a time.

    /// What was loaded, by the ID of the owner or of the target.
    var values: [Key: Any] = [:]
    /// How many rows there are.
    let count: Int
    private let makeIDs: () -> [StoreValue]
    /// The references of the rows at a position, without those that there are not.
    let references: (Int) throws -> [StoreValue]
    /// The IDs of the rows.
    private(set) lazy var ids = makeIDs()
    private lazy var members = Set(ids)

    /// Rows that were fetched together.
    ///
    /// - Parameter value: The value of a row, with the changes that were made to it.
    init<Row, E: Entity>(_ rows: [Row], _ value: @escaping (Row) -> E) {
        count = rows.count
        makeIDs = {
            rows.compactMap { try? StoreValue(value($0).id, Coding.of(E.ID.self)) }
        }
        references = { position in
            try rows.compactMap { row in
                let key = try StoreValue.capture { try value(row).bind(position, to: $0, at: 0) }
                return key == .null ? nil : key
            }
        }
    }

    /// A row that was fetched alone, or came from elsewhere.
    init(id: StoreValue) {
        count = 1
        makeIDs = { [id] }
        references = { _ in [] }
    }

    func contains(_ id: StoreValue) -> Bool { members.contains(id) }
}

/// The batches of one context.
///
/// Those of the newest hundred thousand rows are kept, and in any case the newest of each entity:
/// what a loop walks over. Rows that are not kept load their relationships alone.
final class FetchedBatches {
    private static let largestCount = 100_000

    // Guarded by the context that this belongs to.
    private var batches: [(entity: ObjectIdentifier, batch: FetchedBatch)] = []
    private var count = 0

    /// Remembers values that were fetched together.
    func record<E: Entity>(_ values: [E]) { record(values) { $0 } }

    /// Remembers objects that were fetched together.
    func record<E: Entity>(_ objects: [Managed<E>]) { record(objects) { $0.current } }

    /// Forgets at the end of a closure what was fetched during it.
    func scoped<R>(_ body: () throws -> R) rethrows -> R {
        let known = (batches, count)
        defer { (batches, count) = known }
        return try body()
    }

    private func record<Row, E: Entity>(_ rows: [Row], _ value: @escaping (Row) -> E) {
        // A row alone would gain nothing.
        guard rows.count > 1 else { return }
        batches.append((ObjectIdentifier(E.self), FetchedBatch(rows, value)))
        count += rows.count
        if count > Self.largestCount { forgetOldest() }
    }

    /// The batch in which a row was fetched: one for which the wanted rows were loaded already, else
    /// the newest; else one of this row alone.
    ///
    /// Rows of an entity that refers to itself are in several: as they were asked for, and as they
    /// were loaded for each other.
    func batch(
        of entity: any Entity.Type, containing id: StoreValue, for key: FetchedBatch.Key
    ) -> FetchedBatch {
        let entity = ObjectIdentifier(entity)
        var newest: FetchedBatch?
        for (other, batch) in batches.reversed() where other == entity && batch.contains(id) {
            if batch.values[key] != nil { return batch }
            newest = newest ?? batch
        }
        return newest ?? FetchedBatch(id: id)
    }

    /// Forgets what was loaded, since it may have changed.
    func forgetValues() {
        for (_, batch) in batches { batch.values = [:] }
    }

    /// Forgets what was loaded where changes may have made it another: rows that came, went or moved.
    ///
    /// Others stay, so that a loop which changes what it has loaded does not load all of it again
    /// in each round.
    func forgetValues(changedBy steps: [StoreChange], touching touched: Set<Int>) {
        // Small writes remember nothing.
        guard batches.contains(where: { !$0.batch.values.isEmpty }) else { return }
        var changed: [Int: ColumnSet] = [:]
        for entity in touched { changed[entity] = .every }
        for step in steps {
            switch step {
            case .insert(let entity, _), .delete(let entity, _): changed[entity] = .every
            case .update(let entity, let columns, _):
                changed[entity, default: []].formUnion(columns)
            case .reserveIDs: break
            }
        }
        for (_, batch) in batches {
            batch.values = batch.values.filter { !Self.isOutdated($0.key.request, by: changed) }
        }
    }

    private static func isOutdated(
        _ request: FetchRequest, by changed: [Int: ColumnSet]
    ) -> Bool {
        guard let columns = request.readColumns else { return true }
        guard let changes = changed[request.entity] else { return false }
        return changes == .every || !changes.isDisjoint(with: columns)
    }

    /// Forgets all rows.
    func removeAll() {
        batches = []
        count = 0
    }

    private func forgetOldest() {
        var newest: Set<ObjectIdentifier> = []
        var kept: [(ObjectIdentifier, FetchedBatch)] = []
        var sum = 0
        for (entity, batch) in batches.reversed() {
            let isNewest = newest.insert(entity).inserted
            guard isNewest || sum + batch.count <= Self.largestCount else { continue }
            sum += batch.count
            kept.append((entity, batch))
        }
        batches = kept.reversed()
        count = sum
    }
}

extension ColumnSet {
    /// Every column there may be.
    fileprivate static var every: ColumnSet { ColumnSet(bits: .max) }
}
