import SkiathosLocks
import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// Admits no further access, waits for all that were accepted, and closes the files.
    ///
    /// Calling it again waits for the first call and does nothing.
    func close() throws {
        try requireUsable(for: .close)
        stopAdmitting()
        // First, since a backup may yet need the permit.
        try copies.enter(as: .closing)
        defer { copies.leave() }
        try rootWriter.withPermit(as: .closing) { release in
            release = .complete
            var slots: [Int] = []
            defer { for slot in slots { main.gate.leave(slot) } }
            for _ in store.readers { slots.append(try main.gate.enter(as: .closing)) }
            try closeStore()
        }
    }

    /// Like the blocking form, but waiting blocks no thread.
    ///
    /// Cancelling the task does not end the wait.
    func close() async throws {
        try requireUsable(for: .close)
        stopAdmitting()
        // A separate task, which no caller cancels, and which gets a thread while blocking
        // calls hold those of the pool.
        try await Task(executorPreference: ShutdownExecutor.shared) {
            try await self.drainAndClose()
        }.value
    }

    func stopAdmitting() {
        closing.withLock { $0.begin() }
        main.otherProcesses?.end()
        rootWriter.permits.close()
        main.gate.close()
        copies.close()
    }

    /// Waits for all accesses that were accepted, and closes the files.
    func drainAndClose() async throws {
        try await copies.enter(as: .closing)
        defer { copies.leave() }
        try await rootWriter.withPermitForClosing {
            var slots: [Int] = []
            defer { for slot in slots { main.gate.leave(slot) } }
            for _ in store.readers { slots.append(try await main.gate.enter(as: .closing)) }
            try closeStore()
        }
    }
}
