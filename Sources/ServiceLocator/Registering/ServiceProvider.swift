/// The source of a registered service.
///
/// ```swift
/// try locator.register((any Mailer).self, .lazy { SMTPMailer(clock: try $0.resolve()) })
/// try locator.register(Database.self, .asynchronous { _ in try await Database.open() })
/// try locator.register((any Delegate).self, .weak(controller) { $0 })
/// ```
///
/// Closures run without a lock of the locator, so they may use it freely. The closure of a
/// singleton gets the scope of its registration, any other the scope that resolves.
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

    /// An existing service, which the locator keeps.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - onClose: Ends the service when its scope closes or its registration is replaced.
    public static func instance(
        _ service: P, onClose: (@Sendable (P) async throws -> Void)? = nil
    ) -> Self {
        Self(.instance(Box(service)), .singleton, onClose)
    }

    /// A service that is made with the first resolve.
    ///
    /// Singletons and scoped services are made once, also under concurrent calls. Threads that
    /// resolve during the construction block; tasks that use the asynchronous `resolve` wait
    /// without blocking. All of them get the error of a failing closure, and the next call
    /// tries again.
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

    /// A service that is made asynchronously.
    ///
    /// It is made once, in a task of its own. A caller that is cancelled while it waits gets a
    /// `CancellationError`, and the others get the service. Only the asynchronous `resolve`
    /// returns it, also when it is already made. A transient service is made in the task of
    /// the caller.
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
