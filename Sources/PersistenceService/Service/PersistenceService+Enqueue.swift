public import SkiathosCore

extension PersistenceService {
    /// Accepts changes of any kind and returns at once, without waiting for them.
    ///
    /// ```swift
    /// service.enqueue("count visit") { context in
    ///     try Visit.create(in: context) { $0.page = page }
    ///     return .store
    /// }
    /// ```
    ///
    /// It may be called from synchronous and asynchronous code, and also inside a closure of the
    /// service: the changes take effect when that has ended. Changes take effect in the order in
    /// which they were accepted. A change or save that begins afterwards waits for them, and so
    /// does a query where anything is pending; a query where nothing is pending does not. If the
    /// store is not open yet, they wait for it. The service is retained until they have ended.
    ///
    /// No caller learns of a failure, so it goes to the handler of the service, and nothing is
    /// changed then; see ``ServiceFailure``. So does a refusal, for example after the store was
    /// closed, and the closure is not run then. A shutdown of the store waits for accepted
    /// changes as it does for writes.
    ///
    /// - Parameters:
    ///   - name: The name of the step for undoing it.
    ///   - policy: How conflicts are resolved if the closure returns a depth that saves.
    ///   - body: Makes the changes with the context of a write, which is valid only inside it,
    ///     and returns how far they go.
    public func enqueue(
        _ name: String? = nil, merging policy: MergePolicy = .throwing,
        _ body: @escaping @Sendable (WriteContext) throws -> SaveDepth
    ) {
        enqueue(
            ServiceChange(ServiceOperation(.change, name: name), merging: policy) {
                ((), try body($0))
            })
    }
}
