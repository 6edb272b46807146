public import SkiathosStore

/// The loops over the rows of an entity, all of which have defaults.
///
/// They are requirements so that each entity gets its own, specialised copy of the defaults:
/// called across modules as plain generics they cost about twice as much. Code outside of this
/// package neither replaces nor calls them.
public nonisolated protocol _EntityRows: Sendable {
    /// The entity itself.
    associatedtype _Value: Entity

    /// Decodes the rows of a cursor, until there are as many values as wanted.
    static func decodeRows(
        _ cursor: inout RowCursor, upTo count: Int, into values: inout [_Value]
    ) throws
    /// Decodes all rows of a cursor into tracked objects, one for each ID.
    static func decodeRows(
        _ cursor: inout RowCursor, into objects: inout [Managed<_Value>],
        of unit: UnitOfWork<_Value>
    ) throws
    /// Sorts the pending objects of a write by the step that they need.
    static func pendingChanges(of unit: UnitOfWork<_Value>) throws -> PendingChanges
    /// Inserts the pending objects of a write, if all of them are new; returns whether it did.
    static func insertPending(
        of unit: UnitOfWork<_Value>, in session: any StoreWriteSession
    ) throws -> Bool
    /// Inserts the only pending object of a write, if it is new, so that no savepoint is needed.
    static func insertAlone(
        of unit: UnitOfWork<_Value>, in session: any StoreWriteSession
    ) throws -> LoneInsertion
    /// Records that all pending changes lie in the open transaction.
    static func didFlush(_ unit: UnitOfWork<_Value>)
    /// Releases all objects of a write.
    static func end(_ unit: UnitOfWork<_Value>)
    /// Binds and sends some columns of objects, then their ID if asked for.
    static func sendRows(
        _ objects: [Managed<_Value>], columns: ColumnSet, followedByID: Bool,
        to sink: inout RowSink
    ) throws
    /// Lends some columns of objects, then their ID if asked for.
    static func lendRows(
        _ objects: [Managed<_Value>], columns: ColumnSet, followedByID: Bool,
        to body: (LentRows) throws -> Void
    ) throws
}

extension _EntityRows where Self: Entity {
    /// Decodes the rows of a cursor, until there are as many values as wanted.
    @inlinable
    public static func decodeRows(
        _ cursor: inout RowCursor, upTo count: Int, into values: inout [Self]
    ) throws {
        // No more room at once than for eight times as many rows as have come, since this result may be
        // smaller than the last one.
        var most = Swift.min(count, values.count + 16)
        while true {
            if cursor.expectedCount > values.count {
                values.reserveCapacity(Swift.min(cursor.expectedCount, most))
            }
            while values.count < most, cursor.next() { values.append(try Self(row: cursor.row)) }
            guard values.count == most, most < count else { break }
            most = most > count / 8 ? count : most * 8
        }
        cursor.decodedCount = values.count
    }

    /// Decodes all rows of a cursor.
    @inlinable
    static func decodeRows(_ cursor: inout RowCursor, into values: inout [Self]) throws {
        try decodeRows(&cursor, upTo: .max, into: &values)
    }

    /// Decodes all rows of a cursor into tracked objects.
    ///
    /// An object that the write tracks already is used as it is; its row is not decoded again.
    @inlinable
    public static func decodeRows(
        _ cursor: inout RowCursor, into objects: inout [Managed<Self>], of unit: UnitOfWork<Self>
    ) throws {
        let first = objects.count
        // Also of rows that come before one that cannot be decoded.
        defer { if unit.context.isNested { unit.rememberFetched(objects[first...]) } }
        try unit.withMap { map in
            while map.many == nil {
                guard cursor.next() else { return }
                let id = try RawID(row: cursor.row, column: 0)
                if let object = try decodeRow(cursor.row, id, into: &map, of: unit) {
                    objects.append(object)
                }
            }
            guard let pages = map.many else { return }
            while cursor.next() {
                let id = try RawID(row: cursor.row, column: 0)
                // Mostly the row is not tracked yet.
                if let number = id.pageNumber, pages.newSlot(of: number).pointee == nil {
                    let object = Managed(try Self(row: cursor.row), of: unit)
                    pages.newSlot(of: number).pointee = object
                    objects.append(object)
                } else if let object = try decodeRow(cursor.row, id, into: &map, of: unit) {
                    objects.append(object)
                }
            }
        }
    }

    /// The object of a row, which is created unless it is tracked already, or none if its deletion
    /// is pending.
    @inlinable @inline(never)
    static func decodeRow(
        _ row: RowReader, _ id: RawID, into map: inout IdentityMap<Self>, of unit: UnitOfWork<Self>
    ) throws -> Managed<Self>? {
        let held = map[id]
        if let held, held.isDue {
            // A hook may find rows whose deletion is not in the store yet.
            return held.state.contains(.deleted) ? nil : held
        }
        let object = Managed(try Self(row: row), of: unit)
        map.register(object, under: id)
        if held != nil { unit.tookPlace(object) }
        return object
    }

    /// Binds and sends some columns of objects.
    @inlinable
    public static func sendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to sink: inout RowSink
    ) throws {
        for object in objects {
            try bind(
                columns, of: &object.current, followedByID: followedByID, to: sink.parameters)
            try sink.send()
        }
    }

    /// Binds some columns of a value in place, then its ID if asked for.
    ///
    /// As an `inout` argument of a separate function the value is copied neither by the compiler
    /// nor for each column.
    @inlinable @inline(never)
    static func bind(
        _ columns: ColumnSet, of value: inout Self, followedByID: Bool,
        to parameters: ParameterWriter
    ) throws {
        var position = 0
        for column in columns {
            do {
                try value.bind(column, to: parameters, at: position)
            } catch let error as StoreError {
                throw error.locating(
                    entity: schema.table, columns: [schema.columns[column].name])
            }
            position += 1
        }
        if followedByID { try value.bind(0, to: parameters, at: position) }
    }

    /// Lends some columns of objects.
    @inlinable
    public static func lendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to body: (LentRows) throws -> Void
    ) throws {
        guard let first = objects.first else { return }
        let positions = Array(columns) + (followedByID ? [0] : [])
        // A variable that closures share is checked for exclusive access at each use. The list
        // keeps the objects, whose values nothing changes while the store reads them.
        try withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Self>.self, capacity: 1) {
            guard let current = $0.baseAddress else { return }
            current.initialize(to: first.address)
            let rows = LentRows(
                count: objects.count,
                move: {
                    current.pointee = objects[$0].address
                    let next = $0 + 4
                    if next < objects.count { objects[next].prefetchValue() }
                },
                bind: { position, parameters in
                    let column = positions[position]
                    do {
                        try bind(column, of: &current.pointee.pointee, to: parameters)
                    } catch let error as StoreError {
                        throw error.locating(
                            entity: schema.table, columns: [schema.columns[column].name])
                    }
                })
            try withExtendedLifetime(objects) { try body(rows) }
        }
    }

    /// Binds a column of a value in place.
    ///
    /// As an `inout` argument of a separate function the value need not be copied by the
    /// compiler, which for nine columns measured 1,800 instructions for each row.
    @inlinable @inline(never)
    static func bind(
        _ column: Int, of value: inout Self, to parameters: ParameterWriter
    ) throws {
        try value.bind(column, to: parameters, at: 0)
    }
}
