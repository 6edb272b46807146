public import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A part of the places of a row cache, which one at a time can use.
@usableFromInline
struct CacheShard<E: Entity>: ~Copyable {
    @usableFromInline static var leastCapacity: Int { 16 }

    @usableFromInline let isBusy = Atomic(false)
    /// The largest capacity, a power of two.
    @usableFromInline let limit: Int

    // All guarded by `isBusy`. The places lie in memory of their own, of which a look-up touches
    // no more than it needs.
    @usableFromInline var capacity = 0
    @usableFromInline var keys: UnsafeMutablePointer<E.RawID?>?
    /// Initialised where there is a key.
    @usableFromInline var values: UnsafeMutablePointer<E>?

    /// - Parameter limit: How many rows it may hold, at least.
    @usableFromInline
    init(limit: Int) {
        var power = Self.leastCapacity
        while power < limit { power *= 2 }
        self.limit = power
    }

    deinit { Self.free(keys, values, capacity) }

    /// Enters, unless somebody else is inside.
    @inlinable @inline(__always)
    func enter() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    /// Enters as soon as nobody else is inside, who stays for moments.
    func enterWaiting() {
        while !enter() { sched_yield() }
    }

    @inlinable @inline(__always)
    func leave() { isBusy.store(false, ordering: .releasing) }

    /// The row with a key, if it is the one in its place.
    @inlinable @inline(__always)
    subscript(key: E.RawID, at hash: Int) -> E? {
        guard let keys, let values else { return nil }
        let place = hash & (capacity - 1)
        return keys[place] == key ? values[place] : nil
    }

    /// Puts a row in its place, from which another one goes once there may be no more places.
    @inlinable
    mutating func keep(_ value: E, under key: E.RawID, at hash: Int) {
        if let keys, let values {
            let place = hash & (capacity - 1)
            if keys[place] == nil {
                (values + place).initialize(to: value)
                keys[place] = key
                return
            }
            if keys[place] == key || capacity >= limit {
                values[place] = value
                keys[place] = key
                return
            }
        }
        grow()
        keep(value, under: key, at: hash)
    }

    /// Lets go of the row with a key.
    mutating func remove(_ key: E.RawID, at hash: Int) {
        guard let keys, let values else { return }
        let place = hash & (capacity - 1)
        guard keys[place] == key else { return }
        keys[place] = nil
        (values + place).deinitialize(count: 1)
    }

    /// Lets go of all rows.
    mutating func removeAll() {
        Self.free(keys, values, capacity)
        keys = nil
        values = nil
        capacity = 0
    }

    /// Makes twice as many places.
    @usableFromInline
    mutating func grow() {
        let size = max(Self.leastCapacity, capacity * 2)
        let newKeys = UnsafeMutablePointer<E.RawID?>.allocate(capacity: size)
        let newValues = UnsafeMutablePointer<E>.allocate(capacity: size)
        newKeys.initialize(repeating: nil, count: size)
        if let keys, let values {
            for place in 0..<capacity {
                guard let key = keys[place] else { continue }
                // With one bit more, two rows from different places never meet.
                let newPlace = (key.cachePlace >> 4) & (size - 1)
                newKeys[newPlace] = key
                (newValues + newPlace).moveInitialize(from: values + place, count: 1)
            }
            keys.deinitialize(count: capacity)
            keys.deallocate()
            values.deallocate()
        }
        keys = newKeys
        values = newValues
        capacity = size
    }

    private static func free(
        _ keys: UnsafeMutablePointer<E.RawID?>?, _ values: UnsafeMutablePointer<E>?,
        _ capacity: Int
    ) {
        guard let keys, let values else { return }
        for place in 0..<capacity where keys[place] != nil {
            (values + place).deinitialize(count: 1)
        }
        keys.deinitialize(count: capacity)
        keys.deallocate()
        values.deallocate()
    }
}
