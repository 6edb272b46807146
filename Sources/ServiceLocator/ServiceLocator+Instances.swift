import SkiathosLocks
import Synchronization

extension ServiceLocator: InstanceKeeper {
    /// How a scope answers a resolve of a service that is made once.
    enum Beginning {
        case ready(ErasedBox)
        case wait(Construction)
        case construct(Construction)
        case closed
    }

    func begin(_ construction: Construction) -> Beginning {
        state.withLock { state in
            guard state.isOpen else { return .closed }
            let id = InstanceStore.ID(construction.registration, self)
            switch state.instances[id] {
            case .built(let built): return .ready(built.box)
            case .building(let other): return .wait(other)
            case nil:
                state.instances.begin(construction)
                return .construct(construction)
            }
        }
    }

    func finish(
        _ construction: Construction, _ result: Result<ErasedBox, ServiceLocatorError>
    ) -> Result<ErasedBox, ServiceLocatorError> {
        let registration = construction.registration
        let isOpen = state.withLock { state in
            guard case .success(let box) = result else {
                state.instances.fail(construction)
                return true
            }
            // Also while the scope is closing: the closing waits for this service, and ends
            // it.
            state.instances.keep(box, of: registration, in: self)
            guard state.isOpen else { return false }
            publish(box, of: registration, state)
            return true
        }
        return isOpen
            ? result
            : .failure(.closed(name, path: WaitNode.path(to: registration.key)))
    }

    /// Publishes a box for lock-free readers, unless its registration was replaced meanwhile.
    private func publish(_ box: ErasedBox, of registration: Registration, _ state: ScopeState) {
        let own = state[registration.key]
        guard own === registration || (own == nil && registration.lifetime == .scoped) else {
            return
        }
        published.setBits(
            TaggedPointer.bits(for: box, marks: registration.marks), of: registration.key)
    }

    /// The box of a registration in this scope, if it is already made.
    func builtBox(of registration: Registration) -> ErasedBox? {
        state.withLock {
            guard case .built(let built)? = $0.instances[.init(registration, self)] else {
                return nil
            }
            return built.box
        }
    }

    /// The services that the scopes above and this one keep, in order of construction.
    package var keptServices: [any Sendable] {
        scopes.reversed().flatMap { scope in scope.state.withLock { $0.instances.built } }
            .compactMap { ($0.box as? any ServiceHolder)?.service }
    }
}
