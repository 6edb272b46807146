import SkiathosLocks
import Synchronization

extension Resolution {
    struct Found {
        let registration: Registration
        /// The scope that it was registered in.
        let owner: ServiceLocator
    }

    enum Finding {
        case registration(Found)
        /// The object of a weak registration.
        case service(ErasedBox)
    }

    /// The nearest registration with a service.
    func find() throws(ServiceLocatorError) -> Finding {
        var dead: Registration?
        for scope in asker.scopes {
            let (isOpen, registration) = scope.state.withLock { ($0.isOpen, $0[key]) }
            guard isOpen else { throw .closed(scope.name, path: path) }
            guard let registration else { continue }
            guard case .weak(let source) = registration.source else {
                return .registration(Found(registration: registration, owner: scope))
            }
            // A released object does not hide the registrations of the scopes above.
            if let box = source.loadBox() { return .service(box) }
            dead = dead ?? registration
        }
        if let dead { throw .released(dead, path: path) }
        throw nothing()
    }

    private func nothing() -> ServiceLocatorError {
        let search = NearbySearch(key, asker)
        if builder?.registration != nil, let below = search.scopeBelow() {
            return .captive(key, asker.name, below: below, path: path)
        }
        return .missing(
            key, scopes: asker.scopes.map(\.name), below: search.scopeBelow(),
            nearby: search.suggestions(), fitting: search.fitting(), path: path)
    }
}
