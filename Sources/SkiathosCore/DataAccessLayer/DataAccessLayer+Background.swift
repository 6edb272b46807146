extension DataAccessLayer {
    /// Accepts a write and returns at once; the completion is called when the write is
    /// committed or has failed.
    ///
    /// ```swift
    /// dal.write({ try User.deleteAll(in: $0) }, completion: { result in print(result) })
    /// ```
    ///
    /// - Parameters:
    ///   - name: What the write does, for those that observe its changes; see ``WriteOrigin``.
    ///   - author: On whose behalf it does that.
    ///   - level: How far the write has gone when the completion is called; without one, as the
    ///     configuration says.
    ///   - body: Runs exactly once when the write has the permit, or not at all if it is
    ///     refused.
    ///   - completion: Called exactly once, on a thread of the store and never before this
    ///     returns; the next write may have begun by then. It may call `read` and `write`.
    ///   - file: The file of the call, which the statement log and spans name.
    ///   - line: The line of the call.
    public func write<T: Sendable>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil,
        _ body: @escaping @Sendable (WriteContext) throws -> T,
        completion: @escaping @Sendable (Result<T, any Error>) -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        coordinator.submit(
            SourcePlace(file: file, line: line), level,
            { try $0.run(as: name, by: author, body) }, completion: completion)
    }

    /// Accepts a write and returns at once.
    ///
    /// A failure is reported to the error handler of the configuration; so is the refusal of a
    /// write, whose closure is not run then.
    ///
    /// ```swift
    /// dal.enqueue { try Visit.create(in: $0) { $0.page = page } }
    /// try await dal.flush()       // everything accepted so far is durable
    /// ```
    public func enqueue(
        as name: String? = nil, by author: String? = nil,
        _ body: @escaping @Sendable (WriteContext) throws -> Void,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        let report = coordinator.reportFailure
        coordinator.submit(
            SourcePlace(file: file, line: line), nil, { try $0.run(as: name, by: author, body) }
        ) { result in
            guard case .failure(let error) = result else { return }
            report(BackgroundFailure(operation: .enqueuedWrite, error: error))
        }
    }
}
