import SkiathosStore

/// The objects of one entity in one write, by ID: the same ID is always the same object.
///
/// Integer IDs that lie close together share a page of slots, so that registering the rows of a
/// table scan costs one look-up for each page and not one for each row: measured, a dictionary
/// makes the fetch of 100,000 objects more than twice as slow.
@usableFromInline
struct IdentityMap<E: Entity> {
    @usableFromInline
    final class Page {
        @usableFromInline var slots: ContiguousArray<Managed<E>?>
        @usableFromInline init() { slots = ContiguousArray(repeating: nil, count: 64) }
    }

    @usableFromInline var pages: [Int64: Page] = [:]
    @usableFromInline var others: [E.RawID: Managed<E>] = [:]
    // The page of the last access, which in a scan is the page of the next.
    @usableFromInline var lastNumber: Int64 = .min
    @usableFromInline var lastPage: Page?

    @usableFromInline init() {}

    @inlinable
    subscript(key: E.RawID) -> Managed<E>? {
        mutating get {
            guard let number = key.pageNumber else { return others[key] }
            guard let page = page(number >> 6, creating: false) else { return nil }
            return page.slots[Int(truncatingIfNeeded: number & 63)]
        }
        set {
            guard let number = key.pageNumber else {
                others[key] = newValue
                return
            }
            guard let page = page(number >> 6, creating: newValue != nil) else { return }
            page.slots[Int(truncatingIfNeeded: number & 63)] = newValue
        }
    }

    @inlinable
    mutating func page(_ number: Int64, creating: Bool) -> Page? {
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
        others.values + pages.values.flatMap { $0.slots.compactMap(\.self) }
    }

    /// Lets go of objects that nobody else holds.
    mutating func release(_ keys: [E.RawID]) {
        var numbers: Set<Int64> = []
        for key in keys {
            if let number = key.pageNumber {
                guard let page = page(number >> 6, creating: false) else { continue }
                let slot = Int(truncatingIfNeeded: number & 63)
                if isKnownUniquelyReferenced(&page.slots[slot]) { page.slots[slot] = nil }
                numbers.insert(number >> 6)
            } else if var object = others.removeValue(forKey: key),
                !isKnownUniquelyReferenced(&object)
            {
                others[key] = object
            }
        }
        for number in numbers where pages[number]?.slots.allSatisfy({ $0 == nil }) == true {
            pages[number] = nil
        }
        lastNumber = .min
        lastPage = nil
    }

    mutating func removeAll() { self = IdentityMap() }
}
