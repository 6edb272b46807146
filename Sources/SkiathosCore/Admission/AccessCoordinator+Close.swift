import SkiathosStore

extension AccessCoordinator {
    /// Lets nobody else in, waits for all that were accepted, and gives up the files.
    ///
    /// Calling it again waits for the first call and does nothing.
    func close() throws {
        try requireUsable(for: .close)
        stopAdmitting()
        try turn.enter(evenIfClosed: true)
        defer { turn.leave() }
        for _ in store.readers { try readGate.enter(evenIfClosed: true) }
        defer { for _ in store.readers { readGate.leave() } }
        try closeStore()
    }

    /// Like the blocking form, but blocks no thread while it waits.
    ///
    /// Cancelling the task does not cut it short.
    func close() async throws {
        try requireUsable(for: .close)
        stopAdmitting()
        // A task of its own, which nobody cancels.
        try await Task {
            try await self.turn.enter(evenIfClosed: true)
            defer { self.turn.leave() }
            for _ in self.store.readers { try await self.readGate.enter(evenIfClosed: true) }
            defer { for _ in self.store.readers { self.readGate.leave() } }
            try self.closeStore()
        }.value
    }

    private func stopAdmitting() {
        turn.close()
        readGate.close()
    }
}
