import Skiathos

@testable import SkiathosCore

extension DataAccessLayer {
    /// Runs a closure while a write of another thread has the turn.
    func whileAWriteIsUnderWay(_ body: @Sendable () async throws -> Void) async throws {
        let door = Door()
        let began = Event()
        async let holder: DataAccessLayer = onThread {
            try self.write { (_: WriteContext) -> Void in
                began.happen()
                door.pass()
            }
        }
        await began.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        door.open()
        _ = try await holder
        try result.get()
    }

    /// Waits until so many wait for their turn to write.
    func waitForWriters(_ count: Int) async {
        while coordinator.turn.waitingCount != count { await Task.yield() }
    }
}

/// Cancels the task that this is called in, from within.
func cancelThisTask() {
    withUnsafeCurrentTask { $0?.cancel() }
}
