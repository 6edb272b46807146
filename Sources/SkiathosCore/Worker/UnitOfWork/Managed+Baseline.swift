public import SkiathosStore

/// The value before the first change, and the one that the open transaction holds.
extension Managed {
    /// Keeps the present value as that before the first change, unless there is one already.
    @inlinable
    func keepBaseline() {
        guard baseline == nil else { return }
        let slot = unit.baselines.allocate().assumingMemoryBound(to: E.self)
        slot.initialize(to: current)
        baseline = slot
    }

    /// Makes the present value one that was not changed.
    func removeBaseline() {
        guard let baseline else { return }
        if hasFlushedValue { release(flushedValue) }
        release(baseline)
        self.baseline = nil
        hasFlushedValue = false
        isApplied = false
    }

    private func release(_ value: UnsafeMutablePointer<E>) {
        value.deinitialize(count: 1)
        unit.baselines.deallocate(UnsafeMutableRawPointer(value))
    }

    /// The second value, whose address is stored behind the baseline.
    ///
    /// Most objects are flushed once and have none, so that it has no memory until it is there.
    /// Valid only if there is one.
    @inlinable var flushedValue: UnsafeMutablePointer<E> {
        guard let baseline else {
            preconditionFailure("An object has a second value before a first.")
        }
        return UnsafeRawPointer(baseline)
            .load(fromByteOffset: Self.linkOffset, as: UnsafeMutablePointer<E>.self)
    }

    /// Where the slot of a baseline has the address of the second value.
    @inlinable static var linkOffset: Int {
        let alignment = MemoryLayout<UnsafeMutablePointer<E>>.alignment
        return (MemoryLayout<E>.size + alignment - 1) / alignment * alignment
    }

    /// The size of the slot of a baseline.
    @inlinable static var slotSize: Int {
        linkOffset + MemoryLayout<UnsafeMutablePointer<E>>.size
    }

    /// The value that the open transaction holds, from which the next update is computed; `nil`
    /// before the first change.
    @inlinable var applied: E? {
        get {
            guard let baseline else { return nil }
            if isApplied { return current }
            return hasFlushedValue ? flushedValue.pointee : baseline.pointee
        }
        set {
            guard let baseline, let newValue else { return }
            isApplied = false
            if hasFlushedValue {
                flushedValue.pointee = newValue
            } else {
                let slot = unit.baselines.allocate().assumingMemoryBound(to: E.self)
                slot.initialize(to: newValue)
                UnsafeMutableRawPointer(baseline)
                    .storeBytes(
                        of: slot, toByteOffset: Self.linkOffset, as: UnsafeMutablePointer<E>.self)
                hasFlushedValue = true
            }
        }
    }

    /// Records that the open transaction holds the present value.
    @inlinable
    func didApply() { if baseline != nil { isApplied = true } }

    /// The columns that differ from what the open transaction holds; none before the first change.
    @inlinable
    var unappliedColumns: ColumnSet {
        guard let baseline, !isApplied else { return [] }
        let applied = hasFlushedValue ? flushedValue : baseline
        return E.changedColumns(of: &address.pointee, from: &applied.pointee)
    }
}

extension _EntityRows where Self: Entity {
    /// The columns that differ from another value.
    ///
    /// As `inout` arguments of a separate function neither value is copied, which retains and
    /// releases each of its texts.
    @inlinable @inline(never)
    static func changedColumns(of value: inout Self, from other: inout Self) -> ColumnSet {
        value.changedColumns(from: other)
    }
}
