import PlatformLibC
public import Synchronization

/// A part of a row cache, used by one thread at a time.
@usableFromInline
struct CacheShard<E: Entity>: ~Copyable {
    /// Guarded by `isBusy`.
    @usableFromInline var slots: CacheSlots<E>
    @usableFromInline let isBusy = Atomic(false)

    /// - Parameter limit: How many rows it may hold, at least.
    @usableFromInline
    init(limit: Int) { slots = CacheSlots(limit: limit) }

    deinit {
        var slots = slots
        slots.removeAll()
    }

    /// Enters, unless another thread is inside.
    @inlinable @inline(__always)
    func enter() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    /// Enters as soon as no other thread is inside; a thread stays for moments.
    func enterWaiting() {
        while !enter() { sched_yield() }
    }

    @inlinable @inline(__always)
    func leave() { isBusy.store(false, ordering: .releasing) }
}
