import SkiathosLocks
import Synchronization

/// Epoch-based reclamation: tells when no thread can still use a pointer loaded before a
/// moment.
///
/// A built service is found through an atomic ``TaggedPointer``. Between loading the pointer and
/// retaining the service, a thread holds an address without a reference count; this is its read
/// section. A thread that wants to release a service clears the pointer. Then it waits until every
/// read section that could have seen the address has ended.
///
/// Each thread counts its sections in one of 64 slots, each on cache lines of its own, so
/// threads do not slow each other down as they would with a lock or the reference count of a
/// common object. A slot has two counters; new sections use the one that ``epoch`` names.
///
/// Why it is safe: entering, loading the pointer, clearing it and reading a counter are all
/// sequentially consistent, so they have one order. Say that the pointer was cleared, and that later
/// a counter was seen to be zero. A section on this counter either entered before it was seen:
/// then it has left, and will not use the address. Or it entered afterwards: then its load comes
/// after the clearing, and does not find the address. ``waitForOthers()`` sees every counter to be
/// zero.
///
/// Why it ends: sections are a few instructions long, run no code of the user and take no
/// lock. Only threads that read the epoch just before still enter on the counter that is not
/// named; so it reaches zero even where threads enter without a pause.
///
/// Sendable: all memory is set up by the initializer, and its contents are atomic.
final class EpochGuard: @unchecked Sendable {
    typealias Counter = UnsafeMutablePointer<Atomic<Int>>

    /// The single instance of the process, which is never freed.
    static let shared = EpochGuard()

    private static let slotBits: UInt64 = 6
    private static let slots = 1 << 6
    /// Two lines of 64 bytes, since processors like to fetch pairs of them.
    private static let stride = 16

    private let counters = Counter.allocate(
        capacity: EpochGuard.slots * EpochGuard.stride)
    private let epoch = Atomic<Int>(0)
    /// Admits one waiting thread at a time, since it advances the epoch.
    private let waiting = Lock(())

    private init() {
        for index in 0..<Self.slots * Self.stride {
            (counters + index).initialize(to: Atomic(0))
        }
    }

    /// Begins a section; the result is for ``leave(_:)``.
    @inline(__always)
    func enter() -> Counter {
        // The top bits of the product depend on all bits of the number.
        let slot = (threadNumber &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.slotBits)
        let offset = Int(truncatingIfNeeded: slot) &* Self.stride
        let counter = counters + (offset &+ epoch.load(ordering: .relaxed))
        counter.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent)
        return counter
    }

    /// Ends a section.
    @inline(__always)
    func leave(_ counter: Counter) {
        counter.pointee.wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }

    /// Waits for the end of all sections that have begun.
    func waitForOthers() {
        waiting.withLock { _ in
            let current = epoch.load(ordering: .sequentiallyConsistent)
            waitForZero(of: 1 - current)
            epoch.store(1 - current, ordering: .sequentiallyConsistent)
            waitForZero(of: current)
        }
    }

    private func waitForZero(of epoch: Int) {
        for slot in 0..<Self.slots {
            let counter = counters + slot * Self.stride + epoch
            while counter.pointee.load(ordering: .sequentiallyConsistent) != 0 { yieldThread() }
        }
    }
}
