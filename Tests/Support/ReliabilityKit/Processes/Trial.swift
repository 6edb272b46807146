#if canImport(Glibc)
/// One child from its beginning to its end, and what it has left.
package struct Trial: Sendable {
    /// How it has ended.
    package let end: ChildProcess.End
    /// The time from the signal to its end.
    package let duration: Duration
    /// What it has said.
    package let testimony: Testimony
    /// The number of the last write that the store holds now.
    package let number: Int
    /// What is wrong, in sentences.
    package let problems: [String]

    /// Runs a child that follows a plan, and looks at its store.
    ///
    /// - Parameters:
    ///   - before: The number of a write that the store holds already.
    ///   - script: What is done to it; returns when the signal was sent.
    package init(
        _ plan: ChildPlan, before: Int = 0,
        script: (ChildProcess) async -> ContinuousClock.Instant
    ) async throws {
        let child = try ChildProcess(plan)
        let start = await script(child)
        let (end, when) = await child.end()
        let testimony = child.testimony
        let audit = try await StoreAudit(plan, promise: max(before, testimony.promise))
        var problems = audit.problems
        if end == .timedOut {
            problems.append("It has not ended within \(ChildProcess.patience), and was killed.")
        }
        if end == .exited(0) {
            problems += testimony.problems(last: audit.number)
        }
        self.end = end
        self.duration = start.duration(to: when)
        self.testimony = testimony
        self.number = audit.number
        self.problems = problems
    }
}
#endif
