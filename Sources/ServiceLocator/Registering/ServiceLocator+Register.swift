import SkiathosLocks
import Synchronization

extension ServiceLocator {
    /// Registers a service for a type.
    ///
    /// ```swift
    /// try locator.register((any Clock).self, .instance(SystemClock()))
    /// try locator.register((any Clock).self, named: "test", .lazy { _ in FixedClock() })
    /// ```
    ///
    /// A scope may register a type that a scope above has: here and below, its own is found.
    /// The type may be a protocol or a concrete type. The compiler refuses a service that is
    /// not of the type.
    ///
    /// - Parameters:
    ///   - type: The type that the service is resolved by.
    ///   - name: Distinguishes several registrations of the same type.
    ///   - provider: The source of the service.
    ///   - file: The file of the registration, which messages name.
    ///   - line: The line of the registration.
    /// - Throws: ``ServiceLocatorError`` with code `duplicate`, naming both places, `closed` or
    ///   `unsupported`.
    public func register<P: Sendable>(
        _ type: P.Type, named name: String? = nil, _ provider: ServiceProvider<P>,
        file: StaticString = #fileID, line: UInt = #line
    ) throws(ServiceLocatorError) {
        let key = ServiceKey(ObjectIdentifier(type), name)
        try add(Registration(key, provider, place: "\(file):\(line)"))
    }

    /// Registers a closure that makes a service with the first resolve.
    ///
    /// ```swift
    /// try locator.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
    /// ```
    ///
    /// The same as ``register(_:named:_:file:line:)`` with `.lazy(make)`.
    ///
    /// - Throws: ``ServiceLocatorError`` with code `duplicate` or `closed`.
    public func register<P: Sendable>(
        _ type: P.Type, named name: String? = nil, file: StaticString = #fileID,
        line: UInt = #line, _ make: @escaping @Sendable (ServiceLocator) throws -> P
    ) throws(ServiceLocatorError) {
        try register(type, named: name, .lazy { try make($0) }, file: file, line: line)
    }

    /// Whether this scope or one above has a registration, also if its service cannot be
    /// resolved.
    ///
    /// ```swift
    /// if !locator.contains((any Clock).self) { … }
    /// ```
    ///
    /// Overrides count as registrations.
    public func contains<P: Sendable>(_ type: P.Type, named name: String? = nil) -> Bool {
        let key = ServiceKey(ObjectIdentifier(type), name)
        if OverrideSet.current?.fake(of: key, for: self) != nil { return true }
        return scopes.contains { scope in scope.state.withLock { $0[key] != nil } }
    }

    /// Whether this very scope has a registration, whatever the scopes above have.
    ///
    /// ```swift
    /// request.isRegistered((any Clock).self)   // false, although it finds the clock of app
    /// ```
    public func isRegistered<P: Sendable>(_ type: P.Type, named name: String? = nil) -> Bool {
        state.withLock { $0[ServiceKey(ObjectIdentifier(type), name)] != nil }
    }

    private func add(_ registration: Registration) throws(ServiceLocatorError) {
        try registration.check()
        let scope = name
        let problem: ServiceLocatorError? = state.withLock { state in
            guard state.isOpen else { return .closed(scope, doing: "register \(registration.key)") }
            if let old = state[registration.key] {
                return .duplicate(registration, old, scope: scope)
            }
            enter(registration, &state)
            return nil
        }
        if let problem { throw problem }
    }

    /// Stores a registration, in place of an earlier one of the same key.
    func enter(_ registration: Registration, _ state: inout ScopeState) {
        state.add(registration)
        if let box = registration.initialBox {
            state.instances.keep(box, of: registration, in: self)
        }
        published.setBits(registration.initialBits, of: registration.key)
    }
}

extension Registration {
    func check() throws(ServiceLocatorError) {
        if lifetime == .transient, onClose != nil { throw .unendable(self) }
    }

    /// What readers without the lock find before anything is made.
    fileprivate var initialBits: UInt {
        if case .weak(let source) = source {
            return TaggedPointer.bits(for: source, marks: TaggedPointer.weak)
        }
        return initialBox.map { TaggedPointer.bits(for: $0, marks: marks) } ?? TaggedPointer.empty
    }
}
