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
        while values.count < count, cursor.next() { values.append(try Self(row: cursor.row)) }
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
        try unit.withMap { map in
            while cursor.next() {
                let id = try RawID(row: cursor.row, column: 0)
                let held = map[id]
                if let held, held.isDue {
                    // A hook may find rows whose deletion is not in the store yet.
                    if !held.state.contains(.deleted) { objects.append(held) }
                } else {
                    let object = Managed(try Self(row: cursor.row), of: unit)
                    map.register(object, under: id)
                    if held != nil { unit.tookPlace(object) }
                    objects.append(object)
                }
            }
        }
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
    ///
    /// The current value is copied to separate memory: reading a property of an object checks
    /// exclusive access at run time each time, which measured 100 instructions for each
    /// column.
    @inlinable
    public static func lendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to body: (LentRows) throws -> Void
    ) throws {
        guard let first = objects.first else { return }
        let positions = Array(columns) + (followedByID ? [0] : [])
        try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { memory in
            guard let current = memory.baseAddress else { return }
            current.initialize(to: first.current)
            defer { current.deinitialize(count: 1) }
            let rows = LentRows(
                count: objects.count, move: { current.pointee = objects[$0].current },
                bind: { position, parameters in
                    let column = positions[position]
                    do {
                        try bind(column, of: &current.pointee, to: parameters)
                    } catch let error as StoreError {
                        throw error.locating(
                            entity: schema.table, columns: [schema.columns[column].name])
                    }
                })
            try body(rows)
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
