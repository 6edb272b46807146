public import SkiathosStore

extension DataAccessLayer {
    /// Copies the store to a file while it is in use, and blocks meanwhile.
    ///
    /// The copy is a complete store of one version, with all writes that had returned when the
    /// call was made. It is written under a temporary name beside the path, synced, and then
    /// renamed, so that it appears whole; it needs no WAL. Reads and writes continue
    /// meanwhile; the pages of a store in memory are first copied in one step. A WAL that has
    /// become long is checkpointed first, after the write that is under way.
    ///
    /// ```swift
    /// try dal.backUp(to: "copy.sqlite") { print("\(Int($0.fraction * 100)) %") }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The path of the copy: a file in an existing directory, on a local disk.
    ///   - overwriting: Whether the copy may replace an existing file.
    ///   - progress: Called after each step, about once for each mebibyte, with bytes. An
    ///     error that it throws ends the backup.
    ///   - file: Named, with `line`, by the warning of a WAL that grows because of the backup.
    ///   - line: See `file`.
    /// - Throws: `StoreError` with code `fileExists` if there is a file, `invalidPath` for the
    ///   store's own files, or when the copy cannot be written; what `progress` throws. No
    ///   partial copy is left then, and an existing file is unchanged.
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

    /// Replaces every row of every entity by those of a backup, while the store is in use, and
    /// blocks until that survives the loss of power.
    ///
    /// It waits for the write permit, like a write. Reads that are under way keep their
    /// snapshot, and reads that begin after it has returned see what was restored; writes
    /// wait. If it is interrupted at any point, the store holds what it held before or what
    /// the backup holds.
    ///
    /// ```swift
    /// try dal.restore(from: "copy.sqlite")
    /// ```
    ///
    /// IDs that were allocated before are not allocated again. Virtual tables, views and
    /// triggers that raw SQL has created stay those of the open store, and triggers run.
    ///
    /// - Parameters:
    ///   - path: A store of the same entities that is not open for writing, such as a backup. It is
    ///     only read.
    ///   - progress: Called again and again, with rows. It must not use this data access
    ///     layer. An error that it throws ends the work, and the store is as it was.
    /// - Throws: `StoreError`, before anything has changed, with the code that opening the
    ///   backup would give (`foreignDatabase`, `newerStore`, `schemaMismatch`, …), or
    ///   `damaged` if it is not sound; or when the store cannot be written.
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

extension DataAccessLayer {
    /// Puts a copy of a backup in the place of a store that is not open, such as one that cannot be opened.
    ///
    /// ```swift
    /// let earlier = try await DataAccessLayer.replaceStore(
    ///     at: .sqlite("app.sqlite"), with: "copy.sqlite")
    /// print(earlier ?? "There was no store.")   // app.sqlite.earlier-5e3a…
    /// ```
    ///
    /// After an interruption at any point, even a loss of power, the next opening finds the earlier store or
    /// the whole backup. The earlier files stay in a directory beside the store, which can be deleted.
    ///
    /// A store that is open takes the rows of a backup with `restore(from:)`.
    ///
    /// - Parameters:
    ///   - source: The place of the store, whether there is one or not.
    ///   - backup: The path of a backup, which is only read.
    ///   - progress: Called about once for each mebibyte, with bytes. An error that it throws ends the
    ///     work, and the store is as it was.
    /// - Returns: The path of the directory with the earlier files; `nil` if there were none.
    /// - Throws: `StoreError` with code `storeInUse` if the store is open, or `foreignDatabase`,
    ///   `newerStore`, `notADatabase` or `damaged` for a file that is no sound backup. The store is as it
    ///   was then.
    @discardableResult
    public static func replaceStore(
        at source: StoreSource, with backup: String,
        progress: @escaping @Sendable (StoreProgress) throws -> Void = { _ in }
    ) async throws -> String? {
        try await offPool { isCancelled in
            try source.replace(with: backup) { report in
                if isCancelled() { throw CancellationError() }
                try progress(report)
            }
        }
    }

    /// Puts a copy of a backup in the place of a store that is not open, and blocks meanwhile.
    @available(*, noasync, message: "Use `try await DataAccessLayer.replaceStore(at:with:)`.")
    @discardableResult
    public static func replaceStore(
        at source: StoreSource, with backup: String,
        progress: @Sendable (StoreProgress) throws -> Void = { _ in }
    ) throws -> String? {
        try source.replace(with: backup, progress)
    }
}
