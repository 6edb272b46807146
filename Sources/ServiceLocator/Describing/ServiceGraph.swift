/// The scopes of a locator, their registrations, and the dependencies between services.
///
/// ```swift
/// print(locator.graph())
/// // scope 'app'
/// //   Clock: instance singleton, ready (Main.swift:12)
/// //   Mailer: lazy singleton, ready (Main.swift:13) -> Clock
/// ```
public struct ServiceGraph: Sendable {
    /// A registration.
    public struct Service: Sendable {
        /// The type and, where it has one, the name.
        public let name: String
        /// `instance`, `lazy`, `asynchronous`, `weak` or `weak proxy`.
        public let kind: String
        /// The lifetime of the instances.
        public let lifetime: ServiceLifetime
        /// `ready`, `not made`, `being made`, `made anew`, `alive` or `gone`.
        public let state: String
        /// Where it was registered, as `file:line`.
        public let place: String
        /// The services that its construction has resolved so far, as positions in all
        /// services.
        public fileprivate(set) var dependencies: [Int]
    }

    /// A scope with its registrations.
    public struct Scope: Sendable {
        /// The name of the scope.
        public let name: String
        /// The position of the scope above, if there is one.
        public let parent: Int?
        /// The positions of its registrations in all services.
        public let services: Range<Int>
    }

    /// The scopes, each after the one above it.
    public private(set) var scopes: [Scope] = []

    /// The registrations of all scopes.
    public private(set) var services: [Service] = []

    private var positions: [Position: Int] = [:]

    private struct Position: Hashable {
        let scope: Int
        let key: ServiceKey
    }

    init(_ root: ServiceLocator) {
        var registrations: [(Registration, scope: Int)] = []
        var waiting: [(ServiceLocator, parent: Int?)] = [(root, nil)]
        while !waiting.isEmpty {
            let (locator, parent) = waiting.removeFirst()
            let (own, children) = locator.contents
            for registration in own {
                positions[Position(scope: scopes.count, key: registration.key)] = services.count
                services.append(Service(registration, state: locator.stateName(of: registration)))
                registrations.append((registration, scopes.count))
            }
            waiting += children.map { ($0, scopes.count) }
            let range = services.count - own.count..<services.count
            scopes.append(Scope(name: locator.name, parent: parent, services: range))
        }
        for (index, (registration, scope)) in registrations.enumerated() {
            services[index].dependencies = registration.dependencies.compactMap {
                find($0, from: scope)
            }
        }
    }

    /// The service in the nearest scope above; if none has it, in any scope.
    private func find(_ key: ServiceKey, from scope: Int) -> Int? {
        var current: Int? = scope
        while let scope = current {
            if let index = positions[Position(scope: scope, key: key)] { return index }
            current = scopes[scope].parent
        }
        return scopes.indices.lazy.compactMap { positions[Position(scope: $0, key: key)] }.first
    }
}

extension ServiceGraph.Service {
    fileprivate init(_ registration: Registration, state: String) {
        name = registration.key.description
        kind = registration.kind
        lifetime = registration.lifetime
        self.state = state
        place = registration.place
        dependencies = []
    }
}
