import SkiathosCore
import SkiathosLocks
import SkiathosStore
import Synchronization

/// The scratch spaces of a service and all its descendants.
///
/// One lock guards all spaces, so that changes that move from a child to its parent are always
/// in one of them. The lock is never held while user code runs. Only the holder of the write
/// permit changes spaces, so what it reads when it acquires the permit holds until it releases
/// it.
final class SpaceTree: Sendable {
    /// Identifies a space in the tree.
    typealias ID = Int

    /// The contents of one space.
    struct Space: Sendable {
        var changes = SpaceChanges()
        var steps: Steps
    }

    private struct State {
        var spaces: [ID: Space] = [:]
        var nextID = 0
    }

    private let state = Lock(State())

    func add(undoLimit: Int) -> ID {
        state.withLock { state in
            state.nextID += 1
            state.spaces[state.nextID] = Space(steps: Steps(limit: undoLimit))
            return state.nextID
        }
    }

    /// Removes a space with its pending changes.
    func remove(_ id: ID) { state.withLock { $0.spaces[id] = nil } }

    /// Whether none of the spaces has pending changes.
    func isClean(_ ids: [ID]) -> Bool {
        state.withLock { state in ids.allSatisfy { state.spaces[$0]?.changes.isEmpty ?? true } }
    }

    /// The pending changes of the spaces, in the order of `ids`.
    func changes(of ids: [ID]) -> [SpaceChanges] {
        state.withLock { state in ids.map { state.spaces[$0]?.changes ?? SpaceChanges() } }
    }

    func history(of id: ID) -> StepHistory {
        state.withLock { $0.spaces[id]?.steps.history ?? StepHistory() }
    }

    /// Adds changes to a space as one step.
    func add(_ changes: [RowChange], to id: ID, as name: String) {
        update(id) { space in
            let step = space.changes.add(changes)
            space.steps.add(Step(name: name, changes: step))
        }
    }

    /// Moves the pending changes of a space to its parent, where they become the merged ones.
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

    /// Empties spaces whose changes were saved or discarded.
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

    /// Redoes the step that was undone last; returns whether there was one.
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
            // Removed from the dictionary, so that it is changed in place.
            guard var space = state.spaces.removeValue(forKey: id) else { return nil }
            defer { state.spaces[id] = space }
            return body(&space)
        }
    }
}
