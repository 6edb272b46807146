import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// The current registrations of this scope, those above and those below.
    ///
    /// ```swift
    /// print(locator.graph().mermaid)
    /// ```
    ///
    /// Dependencies are recorded when services are made; after ``verify(keepingServices:isolation:)`` all are known.
    public func graph() -> ServiceGraph { ServiceGraph(scopes.last ?? self) }

    var contents: ([Registration], [ServiceLocator]) {
        state.withLock { ($0.registrations, $0.children) }
    }

    func stateName(of registration: Registration) -> String {
        if registration.isDead { return "gone" }
        if case .weak = registration.source { return "alive" }
        if registration.lifetime == .transient { return "made anew" }
        switch state.withLock({ $0.instances[.init(registration, self)] }) {
        case .built: return "ready"
        case .building: return "being made"
        case nil: return "not made"
        }
    }
}

extension ServiceLocator: CustomStringConvertible {
    /// The name of the scope and of those above.
    public var description: String {
        "ServiceLocator(\(scopes.reversed().map(\.name).joined(separator: "/")))"
    }
}
