import SkiathosStore

/// Many objects by ID: those with integers in pages, the others in a dictionary.
@usableFromInline
final class ObjectPages<E: Entity> {
    @usableFromInline
    final class Page {
        // Allocated separately: each access to a variable of a class is checked by the
        // runtime.
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

    // All guarded by the write that the objects belong to.
    @usableFromInline var pages: [Int64: Page] = [:]
    @usableFromInline var others: [E.RawID.Identity: Managed<E>] = [:]
    // The page of the last access; in a scan mostly that of the next.
    @usableFromInline var lastNumber: Int64 = .min
    @usableFromInline var lastPage: Page?

    @inlinable init() {}

    @inlinable
    subscript(key: E.RawID) -> Managed<E>? {
        guard let number = key.pageNumber else { return others[key.identity] }
        guard let page = page(number >> 6, creating: false) else { return nil }
        return page.slots[Int(truncatingIfNeeded: number & 63)]
    }

    /// Inserts a new object, unless there is one already that was not deleted.
    ///
    /// - Returns: Whether it was inserted.
    @inlinable
    func insert(_ object: Managed<E>, under key: E.RawID) -> Bool {
        guard let number = key.pageNumber, let page = page(number >> 6, creating: true) else {
            if let held = others[key.identity], !held.state.contains(.deleted) { return false }
            others[key.identity] = object
            return true
        }
        let slot = page.slots + Int(truncatingIfNeeded: number & 63)
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
        guard let page = page(number >> 6, creating: true) else { return }
        page.slots[Int(truncatingIfNeeded: number & 63)] = object
    }

    /// Removes the object with an ID.
    func remove(_ key: E.RawID) {
        guard let number = key.pageNumber else {
            others[key.identity] = nil
            return
        }
        page(number >> 6, creating: false)?.slots[Int(truncatingIfNeeded: number & 63)] = nil
    }

    @inlinable
    func page(_ number: Int64, creating: Bool) -> Page? {
        if let lastPage, lastNumber == number { return lastPage }
        var page = pages[number]
        if page == nil, creating {
            page = Page()
            pages[number] = page
        }
        guard let page else { return nil }
        lastNumber = number
        lastPage = page
        return page
    }

    /// All objects, in no particular order.
    var objects: [Managed<E>] {
        others.values + pages.values.flatMap { $0.objects.compactMap(\.self) }
    }

    /// Releases objects that have no other reference.
    func release(_ keys: [E.RawID]) {
        var numbers: Set<Int64> = []
        for key in keys {
            if let number = key.pageNumber {
                guard let page = page(number >> 6, creating: false) else { continue }
                let slot = Int(truncatingIfNeeded: number & 63)
                if isKnownUniquelyReferenced(&page.slots[slot]) { page.slots[slot] = nil }
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
        lastPage = nil
    }
}
