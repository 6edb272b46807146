import Locks
import Synchronization

/// The services that stand for others while a closure runs, and what was made meanwhile.
///
/// What is made under an override may hold a stand-in, so it is kept here and not in its scope.
/// The set lives as long as any task is under it: a task that outlives the closure still finds the
/// stand-ins, never by surprise the real services, but nothing more is made for it.
final class OverrideSet: Sendable {
    /// The innermost override of the task.
    @TaskLocal static var current: OverrideSet?

    private struct State: Sendable {
        var hasEnded = false
        var instances = InstanceStore()
        /// The scopes of the instances, so that no other scope comes to lie at their addresses.
        var homes: [ObjectIdentifier: ServiceLocator] = [:]
    }

    /// The scope that it was made on: it holds for this and those below.
    private let scope: ServiceLocator
    private let outer: OverrideSet?
    private let fakes: [ServiceKey: ErasedBox]
    /// Whether what is made may have a hook: whoever waits for the end can await it.
    private let canEnd: Bool
    private let state = Lock(State())

    init(_ overrides: [ServiceOverride], on scope: ServiceLocator, canEnd: Bool) {
        self.scope = scope
        self.canEnd = canEnd
        outer = Self.current
        fakes = Dictionary(overrides.map { ($0.key, $0.box) }) { _, last in last }
        Attention.begin()
    }

    deinit { Attention.end() }

    /// The stand-in for something that a scope is asked for, of the innermost override that has one.
    func fake(of key: ServiceKey, for asker: ServiceLocator) -> ErasedBox? {
        if asker.isWithin(scope), let box = fakes[key] { return box }
        return outer?.fake(of: key, for: asker)
    }

    /// The innermost override that holds for a scope.
    func holding(for home: ServiceLocator) -> OverrideSet? {
        home.isWithin(scope) ? self : outer?.holding(for: home)
    }

    /// What this or one around it has made of a registration.
    func made(_ registration: Registration, in home: ServiceLocator) -> ErasedBox? {
        let entry = state.withLock { $0.instances[.init(registration, home)] }
        if case .built(let built)? = entry { return built.box }
        return outer?.made(registration, in: home)
    }

    /// Runs hooks and releases what was made, the last first.
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

    /// Releases what was made; nothing of it has a hook.
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
