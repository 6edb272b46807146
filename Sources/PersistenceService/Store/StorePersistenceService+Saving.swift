import SkiathosCore

extension StorePersistenceService {
    /// Saves the pending changes to a depth.
    ///
    /// - `.keep`: nothing happens.
    /// - `.parent`: the pending changes move to the parent, as one step.
    /// - `.store`: the pending changes of the ancestors are saved too, the outermost first,
    ///   all in one write. This happens also if nothing is pending here.
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) async throws {
        let dal = try await gate.dal()
        // Nothing to do, so the write permit is not needed.
        if depth == .keep { return }
        try await translated {
            try await dal.withExclusiveTransaction(acknowledging: level) {
                try self.save(depth, policy, in: $0)
            }
        }
    }

    /// Saves the pending changes to a depth, blocking the thread.
    @available(*, noasync, message: "Use the asynchronous form with `await`.")
    public func save(_ depth: SaveDepth, merging policy: MergePolicy) throws {
        let dal = try gate.dal()
        if depth == .keep { return }
        try translated {
            try dal.withExclusiveTransaction(acknowledging: level) {
                try self.save(depth, policy, in: $0)
            }
        }
    }

    private func save(
        _ depth: SaveDepth, _ policy: MergePolicy, in context: WriteContext
    ) throws -> TransactionOutcome<Void> {
        switch depth {
        case .keep: return .rollback(())
        case .parent where parent == nil, .store:
            if !tree.isClean(path) { try saveAll(adding: [], in: context, policy) }
            return .commit((), then: { self.tree.clear(self.path) })
        case .parent:
            let moved = try merged(adding: [], in: context, policy)
            move(moved, name: ServiceOperation(.save))
            return .rollback(())
        }
    }

    /// Merges the pending changes of this service and its ancestors, and further ones, into
    /// the write.
    func saveAll(
        adding changes: [RowChange], in context: WriteContext, _ policy: MergePolicy
    ) throws {
        var all = tree.changes(of: path)
        _ = all[all.count - 1].add(changes)
        for changes in all { try Merging.merge(changes, into: context, policy) }
    }

    /// The result for the parent's rows of merging the pending changes here, and further ones,
    /// into it.
    func merged(
        adding changes: [RowChange], in context: WriteContext, _ policy: MergePolicy
    ) throws -> Merging.Outcome {
        try replay(path.dropLast(), in: context)
        var own = tree.changes(of: [space])[0]
        _ = own.add(changes)
        try context.beginCapture()
        let remade = try Merging.merge(own, into: context, policy)
        return Merging.Outcome(changes: try context.endCapture(), remade: remade)
    }

    /// Moves the pending changes to the parent.
    func move(_ changes: Merging.Outcome, name operation: ServiceOperation) {
        guard let parent else { return }
        tree.move(space, to: parent.space, as: changes, name: name(of: operation))
    }
}
