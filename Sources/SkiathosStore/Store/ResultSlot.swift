/// Memory for the result of a closure that passes through layers which know nothing of results.
///
/// Where the type of a result is not known to the compiler, copying it costs more than the rest of a
/// small access, and an optional of an optional value costs a search for metadata whenever it is
/// touched.
@usableFromInline package struct ResultSlot<R> {
    @usableFromInline let memory: UnsafeMutablePointer<R>
    @usableFromInline package var isFilled = false

    @inlinable
    package init(_ memory: UnsafeMutablePointer<R>) { self.memory = memory }

    /// Puts the result of a closure in.
    @inlinable @inline(__always)
    package mutating func fill(_ make: () throws -> R) rethrows {
        memory.initialize(to: try make())
        isFilled = true
    }
}

/// Runs an access that fills a slot, and returns what is in it.
@inlinable @inline(__always)
package func withResultSlot<R>(_ access: (inout ResultSlot<R>) throws -> Void) throws -> R {
    try withUnsafeTemporaryAllocation(of: R.self, capacity: 1) { memory in
        guard let start = memory.baseAddress else {
            preconditionFailure("There is no memory for the result of a closure.")
        }
        var slot = ResultSlot(start)
        do {
            try access(&slot)
        } catch {
            // A commit may fail after its closure has returned.
            if slot.isFilled { start.deinitialize(count: 1) }
            throw error
        }
        guard slot.isFilled else { accessHasNotRun() }
        return start.move()
    }
}

extension Optional {
    /// The result of an access that has returned, and so has run its closure.
    @inlinable @inline(__always)
    package var ofFinishedAccess: Wrapped {
        guard let self else { accessHasNotRun() }
        return self
    }
}

@inlinable @inline(never)
package func accessHasNotRun() -> Never {
    preconditionFailure("An access has returned without having run its closure.")
}
