/// The owner of instances that are made once: a scope, or an override while it lasts.
protocol InstanceKeeper: Sendable {
    /// Stores the outcome, and returns what the waiting callers get.
    func finish(
        _ construction: Construction, _ result: Result<ErasedBox, ServiceLocatorError>
    ) -> Result<ErasedBox, ServiceLocatorError>
}

/// The instances that were made and are being made, guarded by the lock of their owner.
///
/// Removed instances are returned, so that the caller releases them after unlocking.
struct InstanceStore: Sendable {
    /// An instance belongs to a registration, not to its key: a registration may be replaced.
    struct ID: Hashable, Sendable {
        let registration: ObjectIdentifier
        let home: ObjectIdentifier

        init(_ registration: Registration, _ home: ServiceLocator) {
            self.registration = ObjectIdentifier(registration)
            self.home = ObjectIdentifier(home)
        }
    }

    struct Built: Sendable {
        let registration: Registration
        let box: ErasedBox
    }

    enum Entry: Sendable {
        /// Exits: `built` when it succeeds; none when it fails, and the next caller begins
        /// again.
        case building(Construction)
        /// Exits: none, when the registration is replaced or the keeper ends.
        case built(Built)
    }

    private var entries: [ID: Entry] = [:]
    /// The built instances in order of construction: each after its dependencies.
    private var order: [ID] = []

    subscript(id: ID) -> Entry? { entries[id] }

    var pending: [Construction] {
        entries.values.compactMap {
            if case .building(let construction) = $0 { construction } else { nil }
        }
    }

    var built: [Built] {
        order.compactMap { if case .built(let built)? = entries[$0] { built } else { nil } }
    }

    mutating func begin(_ construction: Construction) {
        entries[ID(construction.registration, construction.home)] = .building(construction)
    }

    mutating func fail(_ construction: Construction) {
        entries[ID(construction.registration, construction.home)] = nil
    }

    mutating func keep(_ box: ErasedBox, of registration: Registration, in home: ServiceLocator) {
        let id = ID(registration, home)
        entries[id] = .built(Built(registration: registration, box: box))
        order.append(id)
    }

    mutating func remove(_ registration: Registration, in home: ServiceLocator) -> Built? {
        let id = ID(registration, home)
        guard case .built(let built)? = entries[id] else { return nil }
        entries[id] = nil
        order.removeAll { $0 == id }
        return built
    }

    /// Removes all instances and returns them in the order of construction.
    mutating func removeAll() -> [Built] {
        defer {
            entries = [:]
            order = []
        }
        return built
    }
}

extension InstanceStore {
    /// Runs the hooks of the instances, the last built first, and releases each after its
    /// hook.
    ///
    /// A hook that fails does not keep others from running. All failures are returned.
    static func end(_ built: consuming [Built]) async -> [ServiceLocatorError] {
        var problems: [ServiceLocatorError] = []
        while let last = built.popLast() {
            do {
                try await last.registration.onClose?(last.box)
            } catch {
                problems.append(.hookFailed(last.registration, error))
            }
        }
        return problems
    }
}
