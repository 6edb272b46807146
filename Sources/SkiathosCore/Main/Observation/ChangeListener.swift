/// An observer of commits, for as long as the ``CommitNotifier`` holds it.
///
/// All calls but those of its owner come while the writer's connection is in use, in the order
/// of the commits, so they must be short.
protocol ChangeListener: AnyObject, Sendable {
    /// The observed entities; always the same.
    var interest: EntityMask { get }
    /// Whether the observer needs to know which rows were changed.
    var wantsRows: Bool { get }
    /// The batch that is open, or being committed, may hold changes that were not recorded.
    func markIncomplete()
    /// A batch was committed; the records are those of writes that have an observer.
    func committed(_ records: [ChangeRecord])
    /// A batch was lost.
    ///
    /// - Parameter wasVisible: Whether reads could see it.
    func lost(_ records: [ChangeRecord], wasVisible: Bool)
    /// The store was closed.
    func end()
}
