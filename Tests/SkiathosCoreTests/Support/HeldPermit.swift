import Skiathos
import TestSupport

@testable import SkiathosCore

extension DataAccessLayer {
    /// Runs a closure while a write of another thread has the permit.
    func whileAWriteIsUnderWay(_ body: @Sendable () async throws -> Void) async throws {
        let door = Door()
        let began = Event()
        async let holder: Void = onThread {
            try self.write { (_: WriteContext) -> Void in
                began.happen()
                door.pass()
            }
        }
        await began.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        door.open()
        try await holder
        try result.get()
    }

    /// Runs a closure while a read of another thread is under way, and returns what that has read
    /// before and after.
    func whileAReadIsUnderWay<R: Sendable>(
        file: StaticString = #fileID, line: UInt = #line,
        _ query: @escaping @Sendable (ReadContext) throws -> R,
        _ body: @Sendable () async throws -> Void
    ) async throws -> (before: R, after: R) {
        let door = Door()
        let began = Event()
        async let reader: (R, R) = onThread {
            defer { began.happen() }
            return try self.read(
                { context in
                    let before = try query(context)
                    began.happen()
                    door.pass()
                    return (before, try query(context))
                }, file: file, line: line)
        }
        await began.wait()
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        door.open()
        let counts = try await reader
        try result.get()
        return counts
    }

    /// Waits until that many writes are queued.
    func waitForWriters(_ count: Int) async {
        while coordinator.rootWriter.commits.queuedWrites != count { await Task.yield() }
    }
}

/// Cancels the task that this is called in, from within.
func cancelThisTask() {
    withUnsafeCurrentTask { $0?.cancel() }
}
