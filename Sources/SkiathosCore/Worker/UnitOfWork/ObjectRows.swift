public import SkiathosStore

/// Rows made of objects, of which some columns can be left out.
@usableFromInline
protocol ObjectSource: RowSource {
    /// The same rows with fewer columns, without those values that a closure refuses.
    func limited(
        to columns: ColumnSet, where isKept: (Int, StoreValue) -> Bool
    ) throws -> [(ColumnSet, any RowSource)]
}

/// Objects as rows: some of their columns, followed by their ID if it is not the first.
@usableFromInline
struct ObjectRows<E: Entity>: ObjectSource {
    @usableFromInline var objects: [Managed<E>]
    @usableFromInline let columns: ColumnSet
    @usableFromInline let isInsertion: Bool

    @inlinable
    init(objects: [Managed<E>], columns: ColumnSet, isInsertion: Bool) {
        self.objects = objects
        self.columns = columns
        self.isInsertion = isInsertion
    }

    @usableFromInline
    func limited(
        to columns: ColumnSet, where isKept: (Int, StoreValue) -> Bool
    ) throws -> [(ColumnSet, any RowSource)] {
        var groups: [ColumnSet: [Managed<E>]] = [:]
        for object in objects {
            var kept = columns
            for column in columns
            where try !isKept(column, object.current.storedValue(at: column)) {
                kept.remove(column)
            }
            if !kept.isEmpty { groups[kept, default: []].append(object) }
        }
        return groups.sorted { $0.key.bits < $1.key.bits }.map {
            ($0.key, ObjectRows(objects: $0.value, columns: $0.key, isInsertion: isInsertion))
        }
    }

    @usableFromInline var lendableCount: Int { objects.count }

    @usableFromInline
    func sendRows(to sink: inout RowSink) throws {
        try E.sendRows(objects, columns: columns, followedByID: !isInsertion, to: &sink)
    }

    @usableFromInline
    func sendIDs(to sink: inout RowSink) throws {
        try E.sendRows(objects, columns: [], followedByID: true, to: &sink)
    }

    @usableFromInline
    func lendRows(to body: (LentRows) throws -> Void) throws {
        try E.lendRows(objects, columns: columns, followedByID: !isInsertion, to: body)
    }

    @usableFromInline
    func lendIDs(to body: (LentRows) throws -> Void) throws {
        try E.lendRows(objects, columns: [], followedByID: true, to: body)
    }
}
