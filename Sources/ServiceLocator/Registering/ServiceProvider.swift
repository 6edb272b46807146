/// Where the service of a registration comes from.
///
/// ```swift
/// try locator.register((any Mailer).self, .lazy { SMTPMailer(clock: try $0.resolve()) })
/// try locator.register(Database.self, .asynchronous { _ in try await Database.open() })
/// try locator.register((any Delegate).self, .weak(controller) { $0 })
/// ```
///
/// Closures run without any lock of the locator, so they may use it freely. Those of singletons get
/// the scope of their registration, others the scope that asks.
public struct ServiceProvider<P: Sendable>: Sendable {
    let source: Registration.Source
    let lifetime: ServiceLifetime
    let onClose: Registration.Hook?

    init(
        _ source: Registration.Source, _ lifetime: ServiceLifetime = .singleton,
        _ onClose: (@Sendable (P) async throws -> Void)? = nil
    ) {
        self.source = source
        self.lifetime = lifetime
        guard let onClose else {
            self.onClose = nil
            return
        }
        self.onClose = { box in
            if let box = box as? Box<P> { try await onClose(box.value) }
        }
    }

    /// A service that is there already, which the locator keeps.
    ///
    /// - Parameter onClose: Ends the service when its scope closes or its registration is replaced.
    public static func instance(
        _ service: P, onClose: (@Sendable (P) async throws -> Void)? = nil
    ) -> Self {
        Self(.instance(Box(service)), .singleton, onClose)
    }

    /// A service that is made when somebody asks for it first.
    ///
    /// Singletons and scoped services are made once, however many ask at the same time: threads
    /// that ask meanwhile block, tasks that use the asynchronous `resolve` wait without blocking.
    /// What a failing closure throws goes to all of them, and the next who asks tries again.
    ///
    /// - Parameters:
    ///   - lifetime: How long the service lives.
    ///   - onClose: Ends the service; not for transient ones, which the locator does not keep.
    ///   - make: Makes the service, with what it needs from the locator.
    public static func lazy(
        _ lifetime: ServiceLifetime = .singleton,
        onClose: (@Sendable (P) async throws -> Void)? = nil,
        _ make: @escaping @Sendable (ServiceLocator) throws -> P
    ) -> Self {
        Self(.lazy { Box(try make($0)) }, lifetime, onClose)
    }

    /// A service whose making waits for something.
    ///
    /// It is made once, in a task of its own: whoever is cancelled while waiting gets a
    /// `CancellationError`, and the others the service. Only the asynchronous `resolve` gives it,
    /// also when it is there already. Transient ones are made in the task that asks.
    ///
    /// - Parameters:
    ///   - lifetime: How long the service lives.
    ///   - onClose: Ends the service; not for transient ones, which the locator does not keep.
    ///   - make: Makes the service, with what it needs from the locator.
    public static func asynchronous(
        _ lifetime: ServiceLifetime = .singleton,
        onClose: (@Sendable (P) async throws -> Void)? = nil,
        _ make: @escaping @Sendable (ServiceLocator) async throws -> P
    ) -> Self {
        Self(.asynchronous { Box(try await make($0)) }, lifetime, onClose)
    }
}
