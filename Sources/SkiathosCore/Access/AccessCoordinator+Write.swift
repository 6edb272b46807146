import Dispatch
import SkiathosStore

extension AccessCoordinator {
    /// Runs a closure as a write, blocking the thread until it has the write permit, and then
    /// until the write is acknowledged.
    func write(
        _ place: SourcePlace, _ level: Acknowledgement?, _ body: (WriteContext) throws -> Void
    ) throws {
        guard let observer else { return try write(nil, level, body) }
        let record = observer.beginWrite(place, level ?? defaultLevel)
        defer { record.end() }
        do {
            try write(record, level, body)
        } catch {
            record.fail(error)
            throw error
        }
    }

    @inline(__always)
    private func write(
        _ record: AccessRecord?, _ level: Acknowledgement?, _ body: (WriteContext) throws -> Void
    ) throws {
        try requireUsable(for: .write)
        let pending = try rootWriter.withPermit { release in
            try runWrite(record, nil, level, delay: .toExpected, &release, body)
        }
        try StatementScope.run(record) { try commits.awaitAcknowledgement(pending) }
    }

    /// Runs a closure as a write, blocking the thread, and returns its result.
    func write<R>(
        _ place: SourcePlace, _ level: Acknowledgement?, _ body: (WriteContext) throws -> R
    ) throws -> R {
        try withResultSlot { slot in
            try write(place, level) { (context: WriteContext) -> Void in
                try slot.fill { try body(context) }
            }
        }
    }

    /// Runs a closure as a write; waiting for the permit and the acknowledgement blocks no
    /// thread.
    func write<R: Sendable>(
        _ place: SourcePlace, _ level: Acknowledgement?,
        _ body: @Sendable (WriteContext) throws -> R
    ) async throws -> R {
        let record = observer?.beginWrite(place, level ?? defaultLevel)
        defer { record?.end() }
        do {
            try requireUsable(for: .write)
            var pending = PendingAcknowledgement()
            let value = try await rootWriter.withAwaitedPermit { interruption, release in
                try withResultSlot { slot in
                    pending = try runWrite(
                        record, interruption, level, delay: .toAll, &release
                    ) { context in try slot.fill { try body(context) } }
                }
            }
            try await commits.acknowledgement(pending)
            return value
        } catch {
            record?.fail(error)
            throw error
        }
    }

    /// Runs a closure as a write when it gets the permit; no caller waits for it.
    ///
    /// The completion is called exactly once, after the permit was released, and never on the
    /// caller's thread.
    func submit<R: Sendable>(
        _ place: SourcePlace, _ level: Acknowledgement?,
        _ body: @escaping @Sendable (WriteContext) throws -> R,
        completion: @escaping @Sendable (Result<R, any Error>) -> Void
    ) {
        // In the task of the caller, whose span is the parent.
        let record = observer?.beginWrite(place, level ?? defaultLevel)
        submit(record, completion: completion) { release in
            var pending = PendingAcknowledgement()
            let value = try withResultSlot { (slot: inout ResultSlot<R>) in
                pending = try self.runWrite(
                    record, nil, level, delay: .never, &release
                ) { context in try slot.fill { try body(context) } }
            }
            return (value, pending)
        }
    }

    /// Runs a closure when it gets the permit, and calls the completion once what it has done is
    /// acknowledged.
    func submit<R: Sendable>(
        _ record: AccessRecord?, completion: @escaping @Sendable (Result<R, any Error>) -> Void,
        _ body: @escaping @Sendable (inout PermitRelease) throws -> (R, PendingAcknowledgement)
    ) {
        completions.enter()
        let completion: @Sendable (Result<R, any Error>) -> Void = { [completions] result in
            if case .failure(let error) = result { record?.fail(error) }
            record?.endInBackground()
            completion(result)
            completions.leave()
        }
        do {
            try rootWriter.submitWithPermit(body) { result in
                switch result {
                case .failure(let error): completion(.failure(error))
                case .success((let value, let pending)):
                    self.commits.whenAcknowledged(pending, on: self.completionQueue) {
                        completion($0.map { value })
                    }
                }
            }
        } catch {
            DispatchQueue.global().async { completion(.failure(error)) }
        }
    }

    /// Deletes every row, in the order of the writes.
    func reset() throws {
        try requireUsable(for: .reset)
        let record = observer?.begin(.reset)
        defer { record?.end() }
        try rootWriter.withPermit { _ in
            try StatementScope.run(record) { try rootWriter.reset() }
        }
    }

    /// Deletes every row, in the order of the writes.
    func reset() async throws {
        try requireUsable(for: .reset)
        let record = observer?.begin(.reset)
        defer { record?.end() }
        try await rootWriter.withAwaitedPermit { _, _ in
            try Task.checkCancellation()
            try StatementScope.run(record) { try rootWriter.reset() }
        }
    }

    /// Raises all writes that were accepted before to an acknowledgement level.
    func flush(to level: Acknowledgement) throws {
        try requireUsable(for: .flush)
        let pending = try rootWriter.withPermit { _ in try commits.flush(to: level) }
        try commits.awaitAcknowledgement(pending)
    }

    /// Raises all writes that were accepted before to an acknowledgement level.
    func flush(to level: Acknowledgement) async throws {
        try requireUsable(for: .flush)
        let pending = try await rootWriter.withAwaitedPermit { _, _ in
            try Task.checkCancellation()
            return try commits.flush(to: level)
        }
        try await commits.acknowledgement(pending)
    }

    /// Runs a write that has the permit.
    private func runWrite(
        _ record: AccessRecord?, _ interruption: Interruption?, _ level: Acknowledgement?,
        delay: GroupCommit.State.CommitDelay, _ release: inout PermitRelease,
        _ body: (WriteContext) throws -> Void
    ) throws -> PendingAcknowledgement {
        guard let metrics else {
            return try runWriteUnmeasured(record, interruption, level, delay, &release, body)
        }
        let start = ContinuousClock.now
        defer { metrics.writeEnded(since: start) }
        return try runWriteUnmeasured(record, interruption, level, delay, &release, body)
    }

    private func runWriteUnmeasured(
        _ record: AccessRecord?, _ interruption: Interruption?, _ level: Acknowledgement?,
        _ delay: GroupCommit.State.CommitDelay, _ release: inout PermitRelease,
        _ body: (WriteContext) throws -> Void
    ) throws -> PendingAcknowledgement {
        release = .unmerged(hasRead: true)
        record?.admitted()
        let pending = try StatementScope.run(record) {
            try run(.write) {
                try rootWriter.runWrite(interruption, level ?? defaultLevel, delay: delay, body)
            }
        }
        if pending.isMerged { release = .complete }
        return pending
    }
}
