import SkiathosStore

extension AccessCoordinator {
    /// Reports the progress of a copy to the caller; an error that it throws ends the copy.
    typealias Progress = @Sendable (StoreProgress) throws -> Void

    /// Copies the store, blocking the thread.
    func backUp(
        to path: String, overwriting: Bool, from place: SourcePlace, _ progress: Progress
    ) throws {
        try requireUsable(for: .backUp)
        try copies.enter()
        defer { copies.leave() }
        try makeBackup(path, overwriting, place, nil, progress)
    }

    /// Copies the store on a thread outside the pool of Swift's tasks.
    func backUp(
        to path: String, overwriting: Bool, from place: SourcePlace,
        _ progress: @escaping Progress
    ) async throws {
        try requireUsable(for: .backUp)
        try await copies.enter()
        try await interruptibleOffPool { interruption in
            // Here, since blocking calls that wait for the slot may hold all threads of the
            // pool.
            defer { self.copies.leave() }
            try self.makeBackup(path, overwriting, place, interruption, progress)
        }
    }

    /// Replaces the content of the store by that of a backup, blocking the thread.
    func restore(from path: String, _ progress: Progress) throws {
        try requireUsable(for: .restore)
        let record = observer?.begin(.restore)
        defer { record?.end() }
        let pending = try rootWriter.withPermit { _ in try replaceRows(path, record, nil, progress)
        }
        try commits.awaitAcknowledgement(pending)
    }

    /// Replaces the content of the store by that of a backup, on a thread outside the pool of
    /// Swift's tasks.
    func restore(from path: String, _ progress: @escaping Progress) async throws {
        try requireUsable(for: .restore)
        let record = observer?.begin(.restore)
        defer { record?.end() }
        let pending = try await rootWriter.withPermitOffPool { interruption in
            try self.replaceRows(path, record, interruption, progress)
        }
        try await commits.acknowledgement(pending)
    }

    private func makeBackup(
        _ path: String, _ overwriting: Bool, _ place: SourcePlace, _ interruption: Interruption?,
        _ progress: Progress
    ) throws {
        let backup = try beginBackup(path, overwriting)
        monitor.backupBegan(from: place)
        defer { monitor.backupEnded() }
        // Has no effect after success.
        defer { backup.cancel() }
        var report: StoreProgress
        repeat {
            try interruption?.check()
            try rootWriter.stop.check()
            report = try backup.step()
            try progress(report)
        } while report.completed < report.total
        try interruption?.settle()
        try backup.finish()
    }

    /// Begins a copy of every acknowledged write.
    ///
    /// A store with a single connection is copied when no other access is under way.
    private func beginBackup(_ path: String, _ overwriting: Bool) throws -> any StoreBackup {
        guard connections == .single else {
            return try rootWriter.beginBackup {
                try store.beginBackup(to: path, overwriting: overwriting)
            }
        }
        // Closing waits for the backup before it acquires the permit for good.
        return try rootWriter.withPermit(as: .accepted) { _ in
            try store.writer.withSession { session in _ = commits.commitBatch(session) }
            return try store.beginBackup(to: path, overwriting: overwriting)
        }
    }

    private func replaceRows(
        _ path: String, _ record: AccessRecord?, _ interruption: Interruption?,
        _ progress: Progress
    ) throws -> PendingAcknowledgement {
        do {
            try interruption?.begin(store.writer)
            try StatementScope.run(record) {
                try run(.restore) { try rootWriter.restore(from: path, interruption, progress) }
            }
            return .sync(of: commits)
        } catch {
            throw rootWriter.stop.cause(of: error, Cancellation(interruption))
        }
    }
}
