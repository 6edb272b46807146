import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// Whether the scope is closed or being closed.
    public var isClosed: Bool { isClosing.load(ordering: .sequentiallyConsistent) }

    /// Closes the scopes below, then ends all services made here, the last first.
    ///
    /// ```swift
    /// try locator.register(Pool.self, .lazy(onClose: { await $0.shutDown() }) { _ in Pool() })
    /// try await locator.close()        // runs the hook, then releases the pool
    /// try locator.resolve(Pool.self)   // throws: closed
    /// ```
    ///
    /// From the call on, nothing can be resolved or registered here and below. Constructions
    /// in progress are awaited, and their services are ended too. A service that was
    /// registered as an instance counts as made at that time. A second call waits for the
    /// first. The closing continues if the caller is cancelled.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `closeFailed` and all `problems` when
    ///   everything has ended, if hooks have failed. Code `cycle` for a caller that would wait
    ///   for itself, such as a hook of this scope: the closing continues without it. A
    ///   `CancellationError`.
    public func close(isolation: isolated (any Actor)? = #isolation) async throws {
        let closing = beginClosing()
        guard !closing.node.isDone else { return try await closing.value() }
        try await WaitGraph.wait(WaitNode.active, for: closing.node) {
            try await closing.value()
        }
    }

    /// Refuses new calls in this scope and all below, and enters all nodes that the closing
    /// waits for.
    ///
    /// Both happen before any caller waits for the closing. So a constructor that closes its
    /// own scope finds the cycle; the closing itself could not report it.
    @discardableResult
    private func beginClosing() -> Closing {
        let fresh = Closing(self)
        let (closing, children, pending) = state.withLock {
            state -> (Closing, [ServiceLocator], [Construction]) in
            if case .closing(let closing) = state.phase { return (closing, [], []) }
            state.phase = .closing(fresh)
            isClosing.store(true, ordering: .sequentiallyConsistent)
            return (fresh, state.children, state.instances.pending)
        }
        guard closing === fresh else {
            closing.waitUntilBegun()
            return closing
        }
        let below = children.map { $0.beginClosing() }
        closing.begin(waitingFor: below.map(\.node) + pending.map(\.node))
        Task { await finish(closing, below, pending) }
        return closing
    }

    private func finish(
        _ closing: Closing, _ below: [Closing], _ pending: [Construction]
    ) async {
        var problems: [ServiceLocatorError] = []
        for closing in below { problems += await closing.problems() }
        for construction in pending { _ = try? await construction.value() }
        // From here on nothing is added: no construction begins in a scope that is not open.
        published.clear()
        epochGuard.waitForOthers()
        let (built, registrations) = state.withLock {
            ($0.instances.removeAll(), $0.removeRegistrations())
        }
        problems += await OverrideSet.$current.withValue(nil) {
            await WaitNode.$current.withValue(closing.node) { await InstanceStore.end(built) }
        }
        withExtendedLifetime(registrations) {}
        _ = parent?.state.withLock { $0.sweep(except: self) }
        closing.finish(problems, of: name)
    }
}
