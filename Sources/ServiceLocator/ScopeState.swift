/// The state of a scope that its lock guards.
struct ScopeState: Sendable {
    enum Phase: Sendable {
        /// Exits: `closing`.
        case open
        /// Being closed, or closed when the closing is done. Exits: none.
        case closing(Closing)
    }

    private struct Child: Sendable {
        weak let scope: ServiceLocator?
    }

    var phase = Phase.open
    /// In the order of registration.
    private(set) var keys: [ServiceKey] = []
    private var entries: [ServiceKey: Registration] = [:]
    var instances = InstanceStore()
    /// Weak, since children keep their parents alive: strong references would be a cycle.
    private var weakChildren: [Child] = []
    private var sweepAt = 8

    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    subscript(key: ServiceKey) -> Registration? { entries[key] }

    var registrations: [Registration] { keys.compactMap { entries[$0] } }

    mutating func add(_ registration: Registration) {
        if entries.updateValue(registration, forKey: registration.key) == nil {
            keys.append(registration.key)
        }
    }

    /// Removes all registrations and returns them, to be released after unlocking.
    mutating func removeRegistrations() -> [Registration] {
        defer {
            entries = [:]
            keys = []
        }
        return registrations
    }

    var children: [ServiceLocator] { weakChildren.compactMap(\.scope) }

    /// Adds a child scope; the result is to be released after unlocking.
    mutating func add(_ child: ServiceLocator) -> [ServiceLocator] {
        let held = weakChildren.count >= sweepAt ? sweep(except: child) : []
        weakChildren.append(Child(scope: child))
        return held
    }

    /// Removes a child scope and those that are gone; the result is to be released after
    /// unlocking.
    ///
    /// Testing whether an object is alive retains it for a moment, and this may be the last
    /// reference.
    mutating func sweep(except child: ServiceLocator) -> [ServiceLocator] {
        let held = children
        weakChildren = held.filter { $0 !== child }.map { Child(scope: $0) }
        sweepAt = max(8, weakChildren.count * 2)
        return held
    }
}
