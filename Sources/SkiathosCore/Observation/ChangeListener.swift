/// Somebody who wants to hear of commits, for as long as the ``CommitNotifier`` knows him.
///
/// All calls but those of its owner come while the writer's connection is in use, in the order of
/// the commits, so they must be short.
protocol ChangeListener: AnyObject, Sendable {
    /// The entities of which he wants to hear; always the same.
    var interest: EntityMask { get }
    /// Whether he wants to hear which rows were changed.
    var wantsRows: Bool { get }
    /// The batch that is open, or being committed, may hold changes that nobody took note of.
    func expectUnknown()
    /// A batch was committed; the records are those of writes that somebody wants to hear of.
    func committed(_ records: [ChangeRecord])
    /// A batch was lost.
    ///
    /// - Parameter wasVisible: Whether reads could see it.
    func lost(_ records: [ChangeRecord], wasVisible: Bool)
    /// The store was closed.
    func end()
}
