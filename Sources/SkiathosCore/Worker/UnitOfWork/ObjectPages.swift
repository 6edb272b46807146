import SkiathosStore

/// Many objects by ID: those with integers in pages, the others in a dictionary.
@usableFromInline
final class ObjectPages<E: Entity> {
    @usableFromInline
    final class Page {
        // Allocated separately, so that the slots can be accessed without a reference to the page.
        @usableFromInline let slots: UnsafeMutablePointer<Managed<E>?>

        @inlinable
        init() {
            slots = .allocate(capacity: 64)
            slots.initialize(repeating: nil, count: 64)
        }

        @inlinable
        deinit {
            slots.deinitialize(count: 64)
            slots.deallocate()
        }

        /// All of its slots, for loops that need not be fast.
        var objects: UnsafeMutableBufferPointer<Managed<E>?> {
            UnsafeMutableBufferPointer(start: slots, count: 64)
        }
    }

    // All guarded by the write that the objects belong to. Exclusive access is not checked at run
    // time: each access is one step that runs no code of others.
    @exclusivity(unchecked) @usableFromInline var pages: [Int64: Page] = [:]
    @exclusivity(unchecked) @usableFromInline var others: [E.RawID.Identity: Managed<E>] = [:]
    // The page of the last access; in a scan mostly that of the next. Its slots live as long as it
    // is in `pages`. No number of a page is the smallest one.
    @exclusivity(unchecked) @usableFromInline var lastNumber: Int64 = .min
    @exclusivity(unchecked) @usableFromInline var lastSlots: UnsafeMutablePointer<Managed<E>?>?

    @inlinable init() {}

    @inlinable
    subscript(key: E.RawID) -> Managed<E>? {
        guard let number = key.pageNumber else { return others[key.identity] }
        return slot(of: number)?.pointee
    }

    /// Whether an object is the one under an ID.
    @inlinable
    func holds(_ object: Managed<E>, under key: E.RawID) -> Bool {
        guard let number = key.pageNumber else { return others[key.identity] === object }
        return slot(of: number)?.pointee === object
    }

    /// Inserts a new object, unless there is one already that was not deleted.
    ///
    /// - Returns: Whether it was inserted.
    @inlinable
    func insert(_ object: Managed<E>, under key: E.RawID) -> Bool {
        guard let number = key.pageNumber else {
            if let held = others[key.identity], !held.state.contains(.deleted) { return false }
            others[key.identity] = object
            return true
        }
        let slot = newSlot(of: number)
        if let held = slot.pointee, !held.state.contains(.deleted) { return false }
        slot.pointee = object
        return true
    }

    /// Registers an object under its ID, in place of another one that is there.
    @inlinable
    func register(_ object: Managed<E>, under key: E.RawID) {
        guard let number = key.pageNumber else {
            others[key.identity] = object
            return
        }
        newSlot(of: number).pointee = object
    }

    /// Removes the object with an ID.
    func remove(_ key: E.RawID) {
        guard let number = key.pageNumber else {
            others[key.identity] = nil
            return
        }
        slot(of: number)?.pointee = nil
    }

    /// The slot of an ID, if there is a page for it.
    ///
    /// Valid until objects are released.
    @inlinable @inline(__always)
    func slot(of id: Int64) -> UnsafeMutablePointer<Managed<E>?>? {
        guard let slots = lastNumber == id >> 6 ? lastSlots : slots(ofPage: id >> 6) else {
            return nil
        }
        return slots + Int(truncatingIfNeeded: id & 63)
    }

    /// The slot of an ID, whose page is created on first use.
    ///
    /// Valid until objects are released.
    @inlinable @inline(__always)
    func newSlot(of id: Int64) -> UnsafeMutablePointer<Managed<E>?> {
        slot(of: id) ?? newSlots(ofPage: id >> 6) + Int(truncatingIfNeeded: id & 63)
    }

    @inlinable @inline(never)
    func slots(ofPage number: Int64) -> UnsafeMutablePointer<Managed<E>?>? {
        guard let page = pages[number] else { return nil }
        lastNumber = number
        lastSlots = page.slots
        return page.slots
    }

    @inlinable @inline(never)
    func newSlots(ofPage number: Int64) -> UnsafeMutablePointer<Managed<E>?> {
        let page = Page()
        pages[number] = page
        lastNumber = number
        lastSlots = page.slots
        return page.slots
    }

    /// All objects, in no particular order.
    var objects: [Managed<E>] {
        others.values + pages.values.flatMap { $0.objects.compactMap { $0 } }
    }

    /// Releases objects that have no other reference.
    func release(_ keys: [E.RawID]) {
        var numbers: Set<Int64> = []
        for key in keys {
            if let number = key.pageNumber {
                guard let slot = slot(of: number) else { continue }
                if isKnownUniquelyReferenced(&slot.pointee) { slot.pointee = nil }
                numbers.insert(number >> 6)
            } else if var object = others.removeValue(forKey: key.identity),
                !isKnownUniquelyReferenced(&object)
            {
                others[key.identity] = object
            }
        }
        for number in numbers where pages[number]?.objects.allSatisfy({ $0 == nil }) == true {
            pages[number] = nil
        }
        lastNumber = .min
        lastSlots = nil
    }
}
