public import SkiathosStore

/// The result of a lookup by a list of IDs: the elements, and the IDs without one.
public struct LookupResult<Element, ID> {
    /// One element for each ID that has a row, in the order of the list.
    public let found: [Element]
    /// The IDs without a row, in the order of the list.
    public let missing: [ID]

    /// Makes a result, for tests of code that takes one.
    public init(found: [Element], missing: [ID] = []) {
        self.found = found
        self.missing = missing
    }
}

extension LookupResult: Sendable where Element: Sendable, ID: Sendable {}

extension Entity {
    /// The value with an ID, or `nil` if there is none.
    ///
    /// ```swift
    /// try User.find(42, in: context)   // SELECT … FROM "user" WHERE "id" = 42
    /// ```
    @inlinable
    public static func find(_ id: ID, in context: ReadContext) throws -> Self? {
        if let known: Self = try context.cachedRow(id.rawValue) { return known }
        return try fetch(id, in: context)
    }

    @inlinable @inline(never)
    static func fetch(_ id: ID, in context: ReadContext) throws -> Self? {
        let position = try context.position(of: Self.self)
        // Most keys are integers, which need no coding.
        let key =
            try (id.rawValue as? Int64).map { .integer($0) } ?? StoreValue(id, Coding.of(ID.self))
        if context.reserved == .connection,
            let known = try findEarlier(id, position, key, in: context)
        {
            return known
        }
        var value: Self?
        try context.fetch(entity: position, id: key) { cursor in
            guard cursor.next() else { return }
            let found = try Self(row: cursor.row)
            _ = try context.withRowCache(of: Self.self) { cache in
                guard let weight = cache.weight(of: cursor.row) else { return }
                cache.insert(
                    found, weight: weight, under: id.rawValue, from: context.version,
                    in: context.version)
            }
            value = found
        }
        // Moved, and not copied.
        return value.take()
    }

    /// The row with an ID as an earlier snapshot has it, if that is still there and no commit has changed
    /// the row since.
    @inlinable @inline(never)
    static func findEarlier(
        _ id: ID, _ position: Int, _ key: StoreValue, in context: ReadContext
    ) throws -> Self? {
        try context.withRowCache(of: Self.self) { cache in
            let version = context.version
            var value: Self?
            var weight: UInt16?
            let earlier = try context.fetchEarlier(entity: position, id: key) { earlier in
                cache.isUnchanged(id.rawValue, since: earlier, in: version)
            } _: { cursor in
                guard cursor.next() else { return }
                value = try Self(row: cursor.row)
                weight = cache.weight(of: cursor.row)
            }
            // A row that was not there may have been inserted since.
            guard let earlier, let found = value.take(),
                cache.insert(
                    found, weight: weight, under: id.rawValue, from: earlier, in: version)
            else { return nil }
            return found
        }
    }

    /// The tracked object with an ID, or `nil` if there is none or the write has deleted it.
    ///
    /// A tracked object is returned without a query. Changes are flushed before only if the
    /// write has deleted a row with which this one may be deleted, or that had its ID.
    @inlinable
    public static func find(_ id: ID, in context: WriteContext) throws -> Managed<Self>? {
        let unit = try context.unit(of: Self.self)
        // It may be deleted with a row that the write has deleted.
        if context.hasDeletions { try context.settleDeletions(affecting: unit.entity) }
        let held = unit.map[id.rawValue]
        if held != nil, let held = try unit.held(under: id.rawValue) {
            return held.state.contains(.deleted) ? nil : held
        }
        let key = try StoreValue(id, Coding.of(ID.self))
        var object: Managed<Self>?
        // The row of an object that is not tracked cannot be pending, so nothing is flushed.
        try context.lookUp { session in
            try session.fetch(entity: unit.entity, id: key) { cursor in
                guard cursor.next() else { return }
                let fetched = Managed(try Self(row: cursor.row), of: unit)
                unit.map.register(fetched, under: id.rawValue)
                if held != nil { unit.tookPlace(fetched) }
                if context.isNested { unit.rememberFetched([fetched]) }
                object = fetched
            }
        }
        return object
    }

    /// The values with these IDs, and the IDs for which there is none.
    ///
    /// ```swift
    /// let result = try User.find([1, 2, 99], in: context)
    /// result.found.map(\.firstname)   // ["Ada", "Charles"]
    /// result.missing                  // [99]
    /// ```
    ///
    /// - Parameters:
    ///   - ids: Any number of IDs; one that is listed twice is found twice.
    ///   - context: The context of the read.
    public static func find(_ ids: [ID], in context: ReadContext) throws -> LookupResult<Self, ID> {
        let position = try context.position(of: Self.self)
        let keys = try Set(ids).map { try StoreValue($0, Coding.of(ID.self)) }
        var values: [Self] = []
        try context.query { session in
            try session.fetch(entity: position, ids: keys) { try decodeRows(&$0, into: &values) }
        }
        context.batches.record(values)
        let byID = Dictionary(values.map { ($0.id, $0) }) { first, _ in first }
        return LookupResult(
            found: ids.compactMap { byID[$0] }, missing: ids.filter { byID[$0] == nil })
    }

    /// The tracked objects with these IDs, and the IDs for which there is none or the write has
    /// deleted it.
    public static func find(
        _ ids: [ID], in context: WriteContext
    ) throws -> LookupResult<Managed<Self>, ID> {
        let unit = try context.unit(of: Self.self)
        try context.settleDeletions(affecting: unit.entity)
        let unheld = try Set(ids).filter { try unit.held(under: $0.rawValue) == nil }
        if !unheld.isEmpty {
            let keys = try unheld.map { try StoreValue($0, Coding.of(ID.self)) }
            var objects: [Managed<Self>] = []
            try context.lookUp { session in
                try session.fetch(entity: unit.entity, ids: keys) {
                    try decodeRows(&$0, into: &objects, of: unit)
                }
            }
        }
        var found: [Managed<Self>] = []
        var missing: [ID] = []
        for id in ids {
            if let object = unit.map[id.rawValue], !object.state.contains(.deleted) {
                found.append(object)
            } else {
                missing.append(id)
            }
        }
        context.batches.record(found)
        return LookupResult(found: found, missing: missing)
    }

    /// The tracked object of this value in a write, which reads the row again.
    ///
    /// ```swift
    /// let ada = try dal.read { try User.find(id, in: $0) }
    /// try dal.write { try ada?.managed(in: $0).age = 37 }
    /// ```
    ///
    /// - Throws: ``DataAccessError`` with code `notFound` if there is no such row any more.
    public func managed(in context: WriteContext) throws -> Managed<Self> {
        guard let object = try Self.find(id, in: context) else {
            throw DataAccessError(
                .notFound,
                "There is no \(Self.schema.typeName) with the ID of this value: it was deleted, or never stored. Use find, which returns nil then."
            )
        }
        return object
    }
}
