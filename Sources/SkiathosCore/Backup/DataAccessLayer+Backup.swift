public import SkiathosStore

extension DataAccessLayer {
    /// Copies the store to a file while it is in use, and blocks meanwhile.
    ///
    /// The copy is a complete store of one version, with all that had returned when the call was
    /// made. It is written under a temporary name beside the path, synced, and appears there at once,
    /// whole; it needs no log. Reads and writes go on meanwhile, after the pages of a store in memory
    /// were copied at once. A log that has become long is brought into the main file first, for which
    /// the write that is under way is waited for.
    ///
    /// ```swift
    /// try dal.backUp(to: "copy.sqlite") { print("\(Int($0.fraction * 100)) %") }
    /// ```
    ///
    /// - Parameters:
    ///   - path: Where the copy shall be: a file in a directory that is there, on a local disk.
    ///   - overwriting: Whether it may take the place of a file that is there.
    ///   - progress: Called after each step, about once for each mebibyte, with bytes. What it throws
    ///     ends the backup.
    ///   - file: Named, with `line`, by the warning of a log that grows because of the backup.
    ///   - line: See `file`.
    /// - Throws: `StoreError` with code `fileExists` if there is a file, `invalidPath` for the store's
    ///   own files, or when the copy cannot be written; what `progress` throws. Nothing is left
    ///   behind then, and a file that was there is as it was.
    @available(*, noasync, message: "Use `try await dal.backUp(to:)`.")
    public func backUp(
        to path: String, overwriting: Bool = false,
        progress: @Sendable (StoreProgress) throws -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let place = SourcePlace(file: file, line: line)
        try coordinator.backUp(to: path, overwriting: overwriting, from: place, progress)
    }

    /// Copies the store to a file while it is in use, without blocking a thread of Swift's tasks.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before the copy was complete.
    public func backUp(
        to path: String, overwriting: Bool = false,
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in },
        file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let place = SourcePlace(file: file, line: line)
        try await coordinator.backUp(to: path, overwriting: overwriting, from: place, progress)
    }

    /// Replaces every row of every entity by those of a backup, while the store is in use, and blocks
    /// until that survives the loss of power.
    ///
    /// It waits for its turn like a write. Reads go on with what was there before, and those that
    /// begin after it has returned see what was restored; writes wait. Interrupted at whatever
    /// point, the store holds what it held before or what the backup holds.
    ///
    /// ```swift
    /// try dal.restore(from: "copy.sqlite")
    /// ```
    ///
    /// IDs that were handed out before are not handed out again. Virtual tables, views and triggers
    /// that raw SQL has made stay those of the open store, and triggers run.
    ///
    /// - Parameters:
    ///   - path: A store of the same entities that is not open for writing, such as a backup. It is
    ///     only read.
    ///   - progress: Called again and again, with rows. It must not use this data access layer. What
    ///     it throws ends the work, and the store is as it was.
    /// - Throws: `StoreError`, before anything has changed, with the code that opening the backup
    ///   would give (`foreignDatabase`, `newerStore`, `schemaMismatch`, …), or `damaged` if it is not
    ///   sound; or when the store cannot be written.
    @available(*, noasync, message: "Use `try await dal.restore(from:)`.")
    public func restore(
        from path: String, progress: @Sendable (StoreProgress) throws -> Void = { _ in }
    ) throws {
        try coordinator.restore(from: path, progress)
    }

    /// Replaces every row of every entity by those of a backup, while the store is in use, without
    /// blocking a thread of Swift's tasks.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before the commit began. The
    ///   store is as it was then.
    public func restore(
        from path: String, progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws {
        try await coordinator.restore(from: path, progress)
    }
}
