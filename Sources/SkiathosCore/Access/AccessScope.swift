import CSkiathosThreads

/// Detects a `read` or `write` inside the closure of another one of the same data access
/// layer, which could wait for itself for ever.
///
/// A closure runs from beginning to end on one thread, so the accesses under way form a chain
/// that belongs to the thread. A task that the closure starts runs elsewhere and is not
/// mistaken for it, as it would be with a task-local value.
enum AccessScope {
    /// The call, as messages name it.
    enum Kind: String {
        case read = "read { }"
        case write = "write { }"
        case flush = "flush()"
        case reset = "reset()"
        case close = "close()"
        case backUp = "backUp(to:)"
        case restore = "restore(from:)"
    }

    private struct Frame {
        let owner: ObjectIdentifier
        let kind: Kind
        /// Alive while the closure runs.
        let gate: Unmanaged<AdmissionGate>
        /// Set at once after the frame has become the innermost one.
        var outer: UnsafeMutablePointer<Frame>?
    }

    private static var innermost: UnsafeMutablePointer<Frame>? {
        skiathos_innermost_access()?.assumingMemoryBound(to: Frame.self)
    }

    /// Throws if this thread is inside a closure of the owner.
    @inline(__always)
    static func requireOutside(_ owner: AnyObject, for kind: Kind) throws {
        guard let frame = innermost else { return }
        try requireOutside(owner, for: kind, of: frame)
    }

    private static func requireOutside(
        _ owner: AnyObject, for kind: Kind, of innermost: UnsafeMutablePointer<Frame>
    ) throws {
        var frame: UnsafeMutablePointer<Frame>? = innermost
        while let current = frame {
            if current.pointee.owner == ObjectIdentifier(owner) {
                let outer = current.pointee.kind
                throw DataAccessError(
                    .nestedAccess,
                    "\(kind.rawValue) was called inside \(outer.rawValue) of the same data access layer, which could wait for itself. Use the context that the closure was given, and write after reading."
                )
            }
            frame = current.pointee.outer
        }
    }

    /// Runs a closure as an access of the owner, which holds a slot of a gate meanwhile.
    ///
    /// - Parameter gate: Alive while the closure runs.
    @inline(__always)
    static func run<R>(
        _ kind: Kind, of owner: AnyObject, holding gate: Unmanaged<AdmissionGate>,
        _ body: () throws -> R
    ) rethrows -> R {
        var frame = Frame(owner: ObjectIdentifier(owner), kind: kind, gate: gate, outer: nil)
        return try withUnsafeMutablePointer(to: &frame) { pointer in
            let outer = skiathos_exchange_innermost_access(pointer)
            pointer.pointee.outer = outer?.assumingMemoryBound(to: Frame.self)
            defer { skiathos_set_innermost_access(outer) }
            return try body()
        }
    }

    /// Blocks this thread until a gate has a slot for it, unless that would be for ever.
    ///
    /// - Parameters:
    ///   - gate: The gate whose queue the thread joins.
    ///   - wait: Blocks.
    ///   - refuse: Called instead with an error, if the wait would be a deadlock: the accesses
    ///     that it would wait for wait for stores whose closures this thread is inside of.
    static func whileWaiting<R>(
        for gate: AdmissionGate, _ wait: () throws -> R, orRefused refuse: (any Error) throws -> R
    ) rethrows -> R {
        var held: [AdmissionGate] = []
        var frame = innermost
        while let current = frame {
            held.append(current.pointee.gate.takeUnretainedValue())
            frame = current.pointee.outer
        }
        // Outside of every closure no other access waits for this thread.
        if held.isEmpty { return try wait() }
        guard let number = NestedWaits.shared.begin(holding: held, wanting: gate) else {
            return try refuse(
                DataAccessError(
                    .deadlock,
                    "A closure of one store waits for another store, and that one's closure waits for the first, directly or through more stores. Nothing was done here. Nest the stores in the same order everywhere, or write to the second store after the closure of the first has ended."
                ))
        }
        defer { NestedWaits.shared.end(number) }
        return try wait()
    }
}
