public import SkiathosStore

/// The value before the first change, and the one that the open transaction holds.
extension Managed {
    /// Keeps the present value as that before the first change, unless there is one already.
    @inlinable
    func keepBaseline() {
        guard baseline == nil else { return }
        let slot = unit.baselines.take().assumingMemoryBound(to: E.self)
        slot.initialize(to: current)
        baseline = slot
    }

    /// Makes the present value one that was not changed.
    func removeBaseline() {
        guard let baseline else { return }
        baseline.deinitialize(count: hasFlushed ? 2 : 1)
        unit.baselines.give(UnsafeMutableRawPointer(baseline))
        self.baseline = nil
        hasFlushed = false
        isApplied = false
    }

    /// The value that the open transaction holds, from which the next update is computed; `nil`
    /// before the first change.
    @inlinable var applied: E? {
        get {
            guard let baseline else { return nil }
            if isApplied { return current }
            return hasFlushed ? baseline[1] : baseline.pointee
        }
        set {
            guard let baseline, let newValue else { return }
            isApplied = false
            if hasFlushed {
                baseline[1] = newValue
            } else {
                (baseline + 1).initialize(to: newValue)
                hasFlushed = true
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
        let applied = hasFlushed ? baseline + 1 : baseline
        return current.changedColumns(from: applied.pointee)
    }
}
