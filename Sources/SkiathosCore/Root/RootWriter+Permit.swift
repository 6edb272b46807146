/// What has to be done when a write permit is released.
enum PermitRelease {
    /// Nothing: what follows a merge was decided with it, and nothing follows the closing.
    case complete
    /// The holder has merged nothing, so the open batch is committed if its waiters relied on that.
    ///
    /// `hasRead` says that the closure of a write has run. It may have seen what is merged but not
    /// committed, and what begins later must not see less.
    case unmerged(hasRead: Bool)
}

/// The write permit, which one write, reset, restore or closing holds at a time.
extension RootWriter {
    /// Runs a closure with the write permit; blocks the thread until it is granted.
    ///
    /// - Parameters:
    ///   - standing: Whether the permit is granted after the gate was closed.
    ///   - body: May replace what has to be done at the release, which is `.unmerged(hasRead: false)`.
    /// - Throws: what the closure throws, and ``DataAccessError`` if the permit is refused.
    @inline(__always)
    func withPermit<R>(
        as standing: AdmissionGate.Standing = .usual, _ body: (inout PermitRelease) throws -> R
    ) throws -> R {
        try permits.enter(as: standing)
        var ending = PermitRelease.unmerged(hasRead: false)
        defer { release(ending) }
        return try body(&ending)
    }

    /// Runs a closure with the write permit; blocks no thread for longer than a moment until it is granted.
    ///
    /// The permit is released on the thread that has run the closure: blocking calls that are queued
    /// for it may hold every other thread of the pool.
    ///
    /// - Parameter body: Gets what carries the cancellation of the task into the store.
    @inline(__always)
    func withAwaitedPermit<R>(
        _ body: (Interruption, inout PermitRelease) throws -> R
    ) async throws -> R {
        try await permits.enter()
        return try await interruptible { interruption in
            var ending = PermitRelease.unmerged(hasRead: false)
            defer { release(ending) }
            return try body(interruption, &ending)
        }
    }

    /// Runs a closure with the write permit on a thread outside the pool of Swift's tasks, where the
    /// permit is released, too.
    func withPermitOffPool<R: Sendable>(
        _ body: @escaping @Sendable (Interruption) throws -> R
    ) async throws -> R {
        try await permits.enter()
        return try await interruptibleOffPool { interruption in
            defer { self.release(.unmerged(hasRead: false)) }
            return try body(interruption)
        }
    }

    /// Runs a closure with the write permit after all accepted accesses, to close the store.
    ///
    /// The task must have a thread that no blocking call can hold.
    func withPermitForClosing(_ body: () async throws -> Void) async throws {
        try await permits.enter(as: .closing)
        defer { release(.complete) }
        try await body()
    }

    /// Runs a closure with the write permit on a queue, once it is granted.
    ///
    /// - Parameter then: Called once, after the release or a refusal, never on the caller's thread.
    func submitWithPermit<R: Sendable>(
        _ body: @escaping @Sendable (inout PermitRelease) throws -> R,
        then: @escaping @Sendable (Result<R, any Error>) -> Void
    ) throws {
        try permits.submit { refusal in
            if let refusal { return then(.failure(refusal)) }
            var ending = PermitRelease.unmerged(hasRead: false)
            let result = Result { try body(&ending) }
            self.release(ending)
            then(result)
        }
    }

    /// Releases the permit, and commits the open batch if its waiters relied on the holder.
    func release(_ ending: PermitRelease) {
        // With one connection for all, reads see what is merged anyway.
        if case .unmerged(hasRead: true) = ending, connections == .pool {
            commits.advance { $0.hasRead() }
        }
        let othersWait = permits.leave()
        guard case .unmerged = ending else { return }
        commits.permitReleased(othersWait: othersWait)
    }
}

/// Whether reads have connections of their own.
enum ConnectionMode {
    /// One connection reads and writes, so that a read needs the write permit.
    case single
    /// Each read has a connection of a pool.
    case pool

    init(_ readerCount: Int) { self = readerCount == 0 ? .single : .pool }
}
