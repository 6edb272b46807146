import SkiathosStore

/// The objects of one entity in one write, by ID: the same ID is always the same object.
///
/// The first few are searched one by one, since most writes hold no more. Beyond that, integer
/// IDs that lie close together share a page of slots. So registering the rows of a table scan
/// costs one look-up for each page, not one for each row. Measured: a dictionary makes the
/// fetch of 100,000 objects more than twice as slow.
@usableFromInline
struct IdentityMap<E: Entity> {
    @usableFromInline
    struct Entry {
        @usableFromInline let key: E.RawID
        @usableFromInline var object: Managed<E>

        @inlinable
        init(key: E.RawID, object: Managed<E>) {
            self.key = key
            self.object = object
        }
    }

    /// The objects, while they are few.
    @usableFromInline var few = ContiguousArray<Entry>()
    /// The objects, once they have become many.
    @usableFromInline var many: ObjectPages<E>?

    @inlinable init() {}

    @inlinable static var fewLimit: Int { 8 }

    @inlinable
    subscript(key: E.RawID) -> Managed<E>? {
        if let many { return many[key] }
        for index in few.indices where few[index].key.identity == key.identity {
            return few[index].object
        }
        return nil
    }

    /// Inserts a new object, unless there is one already that was not deleted.
    ///
    /// - Returns: Whether it was inserted.
    @inlinable
    mutating func insert(_ object: Managed<E>, under key: E.RawID) -> Bool {
        if let many { return many.insert(object, under: key) }
        if let held = self[key], !held.state.contains(.deleted) { return false }
        register(object, under: key)
        return true
    }

    /// Whether an object is the one under an ID.
    @inlinable
    func holds(_ object: Managed<E>, under key: E.RawID) -> Bool {
        if let many { return many.holds(object, under: key) }
        for index in few.indices where few[index].key.identity == key.identity {
            return few[index].object === object
        }
        return false
    }

    /// Registers an object under its ID, in place of another one that is there.
    @inlinable
    mutating func register(_ object: Managed<E>, under key: E.RawID) {
        if let many { return many.register(object, under: key) }
        for index in few.indices where few[index].key.identity == key.identity {
            few[index].object = object
            return
        }
        few.append(Entry(key: key, object: object))
        if few.count > Self.fewLimit { spread() }
    }

    /// Removes an object, unless another one has replaced it.
    mutating func remove(_ object: Managed<E>, under key: E.RawID) {
        guard holds(object, under: key) else { return }
        if let many { return many.remove(key) }
        few.removeAll { $0.object === object }
    }

    @inlinable @inline(never)
    mutating func spread() {
        let pages = ObjectPages<E>()
        for entry in few { pages.register(entry.object, under: entry.key) }
        few = []
        many = pages
    }

    /// All objects, in no particular order.
    ///
    /// With closures: a generic type makes a new key path at each use, which costs as much as reading
    /// several rows.
    var objects: [Managed<E>] { many?.objects ?? few.map { $0.object } }

    /// Releases objects that have no other reference.
    mutating func release(_ keys: [E.RawID]) {
        if let many { return many.release(keys) }
        let keys = Set(keys.map { $0.identity })
        var kept = ContiguousArray<Entry>()
        while var entry = few.popLast() {
            if !keys.contains(entry.key.identity) || !isKnownUniquelyReferenced(&entry.object) {
                kept.append(entry)
            }
        }
        few = kept
    }

    /// Removes all objects, and keeps the memory of few for the next write.
    @inlinable
    mutating func removeAll() {
        while few.popLast() != nil {}
        if many != nil { many = nil }
    }
}
