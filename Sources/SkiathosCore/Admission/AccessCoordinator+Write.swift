import Dispatch
import SkiathosStore

extension AccessCoordinator {
    /// Runs a closure as a write, blocking the thread until it is its turn.
    func write<R>(_ body: (WriteContext) throws -> R) throws -> R {
        try requireUsable(for: .write)
        try turn.enter()
        defer { turn.leave() }
        return try runWrite(nil, body)
    }

    /// Runs a closure as a write; waiting for the turn blocks no thread.
    func write<R: Sendable>(_ body: @Sendable (WriteContext) throws -> R) async throws -> R {
        try requireUsable(for: .write)
        try await turn.enter()
        defer { turn.leave() }
        return try await interruptible { try runWrite($0, body) }
    }

    /// Runs a closure as a write when it is its turn, without anybody waiting for it.
    ///
    /// The completion is called exactly once, after the turn was given on, and never on the
    /// caller's thread.
    func submit<R: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> R,
        completion: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        do {
            try turn.submit {
                let result = Result { try self.runWrite(nil, body) }
                self.turn.leave()
                completion(result)
            }
        } catch {
            DispatchQueue.global().async { completion(.failure(error)) }
        }
    }

    /// Deletes every row, in turn with the writes.
    func reset() throws {
        try requireUsable(for: .reset)
        try turn.enter()
        defer { turn.leave() }
        try rootWriter.reset()
    }

    /// Deletes every row, in turn with the writes.
    func reset() async throws {
        try requireUsable(for: .reset)
        try await turn.enter()
        defer { turn.leave() }
        try rootWriter.reset()
    }

    /// Makes all writes that were accepted before survive the loss of power.
    func flush() throws {
        try requireUsable(for: .flush)
        try turn.enter()
        defer { turn.leave() }
        try rootWriter.sync()
    }

    /// Makes all writes that were accepted before survive the loss of power.
    func flush() async throws {
        try requireUsable(for: .flush)
        try await turn.enter()
        defer { turn.leave() }
        try rootWriter.sync()
    }

    private func runWrite<R>(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> R
    ) throws -> R {
        try AccessScope.run(.write, of: self) { try rootWriter.perform(interruption, body) }
    }
}
