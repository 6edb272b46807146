import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// Replaces a registration, and ends the old service.
    ///
    /// ```swift
    /// try await locator.replace((any Mailer).self, .instance(OtherMailer()))
    /// ```
    ///
    /// From then on the new service is found. The old one's `onClose` runs and the locator
    /// releases it. If the old service is being made, the call waits for it. Callers that hold
    /// the old service keep it. So do scopes below that have made a scoped service from the
    /// old registration.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `nothingToReplace` if this very scope has no
    ///   registration, `closed` or `unsupported`; `closeFailed` if the old one failed to end, and
    ///   `cycle` in the closure that makes the old one: both leave the new one in place.
    public func replace<P: Sendable>(
        _ type: P.Type, named name: String? = nil, _ provider: ServiceProvider<P>,
        file: StaticString = #fileID, line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let key = ServiceKey(ObjectIdentifier(type), name)
        let registration = Registration(key, provider, place: "\(file):\(line)")
        try registration.check()
        let old = try swap(registration)
        // The old service must not be released while a reader is about to retain it.
        epochGuard.waitForOthers()
        if let pending = old.pending {
            try await WaitGraph.wait(WaitNode.active, for: pending.node) {
                await shielded { _ = try? await pending.value() }
            }
        }
        let built = state.withLock { $0.instances.remove(old.registration, in: self) }
        guard let built else { return }
        let problems = await shielded { await InstanceStore.end([built]) }
        if !problems.isEmpty { throw ServiceLocatorError.closeFailed("the replaced", problems) }
    }

    private struct Old {
        let registration: Registration
        let pending: Construction?
    }

    private func swap(_ registration: Registration) throws(ServiceLocatorError) -> Old {
        let scope = name
        let result: Result<Old, ServiceLocatorError> = state.withLock { state in
            let key = registration.key
            guard state.isOpen else { return .failure(.closed(scope, doing: "replace \(key)")) }
            guard let old = state[key] else {
                return .failure(.nothingToReplace(key, scope: scope, place: registration.place))
            }
            enter(registration, &state)
            guard case .building(let pending)? = state.instances[.init(old, self)] else {
                return .success(Old(registration: old, pending: nil))
            }
            return .success(Old(registration: old, pending: pending))
        }
        return try result.get()
    }
}
