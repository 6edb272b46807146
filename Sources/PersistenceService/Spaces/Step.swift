import SkiathosCore

/// The changes of one operation in a scratch space.
struct Step: Sendable {
    /// The pending change of a row before and after the step.
    struct Change: Sendable {
        let key: RowKey
        let old: PendingRow?
        let new: PendingRow?
    }

    let name: String
    let changes: [Change]
}

/// The steps of a scratch space that can be undone and redone.
struct Steps: Sendable {
    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []
    /// The largest number of steps; the oldest are removed first.
    let limit: Int

    init(limit: Int) { self.limit = max(0, limit) }

    var history: StepHistory {
        StepHistory(undoable: undoable.map(\.name), redoable: redoable.map(\.name))
    }

    /// Adds a step, and clears the steps that could be redone.
    mutating func add(_ step: Step) {
        guard !step.changes.isEmpty else { return }
        redoable = []
        undoable.append(step)
        if undoable.count > limit { undoable.removeFirst(undoable.count - limit) }
    }

    mutating func takeUndo() -> Step? {
        guard let step = undoable.popLast() else { return nil }
        redoable.append(step)
        return step
    }

    mutating func takeRedo() -> Step? {
        guard let step = redoable.popLast() else { return nil }
        undoable.append(step)
        return step
    }

    mutating func clear() {
        undoable = []
        redoable = []
    }
}
