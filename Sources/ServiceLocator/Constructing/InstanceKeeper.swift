/// Keeps what was made once: a scope, or an override for as long as it lasts.
protocol InstanceKeeper: Sendable {
    /// Takes down the outcome. The result is what those who wait get.
    func finish(
        _ construction: Construction, _ result: Result<ErasedBox, ServiceLocatorError>
    ) -> Result<ErasedBox, ServiceLocatorError>
}

/// What has been made and is being made, under the lock of whoever keeps it.
///
/// Whatever is removed is returned, so that it is released after the lock.
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
        /// Exits: `built` when it succeeds; none when it fails, and the next who asks begins anew.
        case building(Construction)
        /// Exits: none, when the registration is replaced or the keeper ends.
        case built(Built)
    }

    private var entries: [ID: Entry] = [:]
    /// Those that were built, in this order: nothing comes before what it was made with.
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

    /// Takes out everything, in the order in which it was built.
    mutating func removeAll() -> [Built] {
        defer {
            entries = [:]
            order = []
        }
        return built
    }
}

extension InstanceStore {
    /// Runs the hooks of what was built, the last first, and releases each after its hook.
    ///
    /// A hook that fails does not keep others from running. Everything that failed is returned.
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
