import Locks
import SkiathosCore
import SkiathosStore
import Synchronization

/// The scratch spaces of a service and all its descendants.
///
/// One lock guards all of them, so that what moves from a child to its parent is never in neither.
/// It is never held while a closure of a user runs. Spaces are changed only by whoever has the
/// turn to write, so that what was read at the beginning of a turn holds until its end.
final class SpaceTree: Sendable {
    /// Names a space in the tree.
    typealias ID = Int

    /// What one space holds.
    struct Space: Sendable {
        var changes = SpaceChanges()
        var steps: Steps
    }

    private struct State {
        var spaces: [ID: Space] = [:]
        var nextID = 0
    }

    private let state = Lock(State())

    /// Makes a space.
    func add(undoLimit: Int) -> ID {
        state.withLock { state in
            state.nextID += 1
            state.spaces[state.nextID] = Space(steps: Steps(limit: undoLimit))
            return state.nextID
        }
    }

    /// Takes a space away with all that is pending in it.
    func remove(_ id: ID) { state.withLock { $0.spaces[id] = nil } }

    /// Whether nothing is pending in any of some spaces.
    func isClean(_ ids: [ID]) -> Bool {
        state.withLock { state in ids.allSatisfy { state.spaces[$0]?.changes.isEmpty ?? true } }
    }

    /// What is pending in some spaces, in their order.
    func changes(of ids: [ID]) -> [SpaceChanges] {
        state.withLock { state in ids.map { state.spaces[$0]?.changes ?? SpaceChanges() } }
    }

    func history(of id: ID) -> StepHistory {
        state.withLock { $0.spaces[id]?.steps.history ?? StepHistory() }
    }

    /// Adds changes to a space as a step of it.
    func add(_ changes: [RowChange], to id: ID, as name: String) {
        update(id) { space in
            let step = space.changes.add(changes)
            space.steps.add(Step(name: name, changes: step))
        }
    }

    /// Moves what is pending in a space to its parent, where it comes to these changes.
    func move(_ id: ID, to parent: ID, as changes: Merging.Outcome, name: String) {
        state.withLock { state in
            state.spaces[id]?.changes = SpaceChanges()
            state.spaces[id]?.steps.clear()
            guard
                let step = state.spaces[parent]?.changes
                    .add(changes.changes, remaking: changes.remade)
            else { return }
            state.spaces[parent]?.steps.add(Step(name: name, changes: step))
        }
    }

    /// Empties spaces, whose changes were saved or are given up.
    func clear(_ ids: [ID]) {
        state.withLock { state in
            for id in ids {
                state.spaces[id]?.changes = SpaceChanges()
                state.spaces[id]?.steps.clear()
            }
        }
    }

    /// Undoes the last step; returns whether there was one.
    func undo(_ id: ID) -> Bool {
        update(id) { space in
            guard let step = space.steps.takeUndo() else { return false }
            for change in step.changes.reversed() { space.changes.set(change.key, to: change.old) }
            return true
        } ?? false
    }

    /// Does the step again that was undone last; returns whether there was one.
    func redo(_ id: ID) -> Bool {
        update(id) { space in
            guard let step = space.steps.takeRedo() else { return false }
            for change in step.changes { space.changes.set(change.key, to: change.new) }
            return true
        } ?? false
    }

    @discardableResult
    private func update<R: Sendable>(
        _ id: ID, _ body: @Sendable (inout Space) -> R
    ) -> R? {
        state.withLock { state in
            // Taken out, so that it is changed in place.
            guard var space = state.spaces.removeValue(forKey: id) else { return nil }
            defer { state.spaces[id] = space }
            return body(&space)
        }
    }
}
