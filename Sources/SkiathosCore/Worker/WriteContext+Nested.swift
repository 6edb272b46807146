import SkiathosStore

extension WriteContext {
    /// Runs a closure as a nested unit of work.
    ///
    /// If it throws, its changes are rolled back in the store and in every object. The write
    /// continues.
    ///
    /// ```swift
    /// try dal.write { context in
    ///     let order = try Order.create(in: context)
    ///     do {
    ///         try context.nested { try book(order, in: $0) }
    ///     } catch let error as BookingRefused {
    ///         order.note = error.reason       // what book(_:in:) changed is gone, the order stays
    ///     }
    /// }
    /// // SAVEPOINT … ROLLBACK TO …
    /// ```
    ///
    /// Nested scopes can contain nested scopes. Objects that were created inside a failed
    /// scope count as deleted.
    @discardableResult
    public func nested<R>(_ body: (WriteContext) throws -> R) throws -> R {
        try requireNoHook(for: "nested")
        try flush()
        try withSession {
            try transaction.beginExclusive($0)
            try $0.openSavepoint()
        }
        let scope = NestedScope(limits: transaction.limits, mark: journal.mark)
        scopes.open(scope)
        do {
            let result = try body(self)
            try flush()
            try withSession { try $0.releaseSavepoint() }
            scopes.close()
            if let outer = scopes.last { scope.merge(into: outer) }
            return result
        } catch {
            scopes.close()
            try undo(scope)
            throw error
        }
    }

    private func undo(_ scope: NestedScope) throws {
        try withSession { session in
            try session.rollbackSavepoint()
            for unit in units { unit?.forgetPending() }
            forgetDeletions()
            scope.undoAll()
            journal.rollBack(to: scope.mark)
            defer { journal.resumeCapture(of: scope.mark) }
            loadGroups?.forgetValues()
            transaction.limits = scope.limits
            if let outer = scopes.last { scope.handFetched(to: outer) }
            try scope.refreshFetched(in: session)
        }
    }
}
