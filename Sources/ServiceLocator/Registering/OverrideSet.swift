import SkiathosLocks
import Synchronization

/// The stand-ins of an override, and the instances that were made while it lasts.
///
/// An instance that is made under an override may hold a stand-in, so it is stored here and
/// not in its scope. The set lives as long as any task is under it. A task that outlives the
/// closure still finds the stand-ins and never the real services, but nothing more is made for
/// it.
final class OverrideSet: Sendable {
    /// The innermost override of the task.
    @TaskLocal static var current: OverrideSet?

    private struct State: Sendable {
        var hasEnded = false
        var instances = InstanceStore()
        /// The scopes of the instances, retained so that no new scope gets the address of one.
        var homes: [ObjectIdentifier: ServiceLocator] = [:]
    }

    /// The scope that was overridden: the override holds for it and the scopes below.
    private let scope: ServiceLocator
    private let outer: OverrideSet?
    private let fakes: [ServiceKey: ErasedBox]
    /// Whether instances may have hooks, which an asynchronous override awaits at its end.
    private let canEnd: Bool
    private let state = Lock(State())

    init(_ overrides: [ServiceOverride], on scope: ServiceLocator, canEnd: Bool) {
        self.scope = scope
        self.canEnd = canEnd
        outer = Self.current
        fakes = Dictionary(overrides.map { ($0.key, $0.box) }) { _, last in last }
        TaskLocalsInUse.begin()
    }

    deinit { TaskLocalsInUse.end() }

    /// The stand-in for a key in a scope, from the innermost override that has one.
    func fake(of key: ServiceKey, for asker: ServiceLocator) -> ErasedBox? {
        if asker.isWithin(scope), let box = fakes[key] { return box }
        return outer?.fake(of: key, for: asker)
    }

    /// The innermost override that holds for a scope.
    func holding(for home: ServiceLocator) -> OverrideSet? {
        home.isWithin(scope) ? self : outer?.holding(for: home)
    }

    /// The instance of a registration that this override or an enclosing one has made.
    func made(_ registration: Registration, in home: ServiceLocator) -> ErasedBox? {
        let entry = state.withLock { $0.instances[.init(registration, home)] }
        if case .built(let built)? = entry { return built.box }
        return outer?.made(registration, in: home)
    }

    /// Runs the hooks and releases the instances, the last built first.
    func end() async -> [ServiceLocatorError] {
        await shielded { await self.endAll() }
    }

    private func endAll() async -> [ServiceLocatorError] {
        let pending = state.withLock {
            $0.hasEnded = true
            return $0.instances.pending
        }
        for construction in pending { _ = try? await construction.value() }
        let built = state.withLock { $0.instances.removeAll() }
        return await OverrideSet.$current.withValue(outer) {
            await InstanceStore.end(built)
        }
    }

    /// Releases the instances, none of which has a hook.
    func endNow() {
        var built = state.withLock {
            $0.hasEnded = true
            return $0.instances.removeAll()
        }
        while built.popLast() != nil {}
    }
}

extension OverrideSet: InstanceKeeper {
    func begin(
        _ construction: Construction, path: [String]
    ) throws(ServiceLocatorError) -> ServiceLocator.Beginning {
        if !canEnd, construction.registration.onClose != nil {
            throw .endsAsynchronously(construction.registration, path: path)
        }
        let beginning: ServiceLocator.Beginning = state.withLock {
            if $0.hasEnded { return .closed }
            switch $0.instances[.init(construction.registration, construction.home)] {
            case .built(let built): return .ready(built.box)
            case .building(let other): return .wait(other)
            case nil:
                $0.instances.begin(construction)
                return .construct(construction)
            }
        }
        if case .closed = beginning { throw .overrideEnded(path: path) }
        return beginning
    }

    func finish(
        _ construction: Construction, _ result: Result<ErasedBox, ServiceLocatorError>
    ) -> Result<ErasedBox, ServiceLocatorError> {
        let hasEnded = state.withLock {
            switch result {
            case .success(let box) where !$0.hasEnded || canEnd:
                $0.instances.keep(box, of: construction.registration, in: construction.home)
                $0.homes[ObjectIdentifier(construction.home)] = construction.home
            case .success, .failure:
                $0.instances.fail(construction)
            }
            return $0.hasEnded
        }
        guard hasEnded, case .success = result else { return result }
        return .failure(.overrideEnded(path: WaitNode.path(to: construction.registration.key)))
    }
}
