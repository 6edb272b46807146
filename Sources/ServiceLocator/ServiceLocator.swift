import SkiathosLocks
import Synchronization

/// Holds the services of a program, or of a part of it, from its start to its end.
///
/// ```swift
/// let locator = ServiceLocator()
/// try locator.register((any Clock).self, .instance(SystemClock()))
/// try locator.register((any Mailer).self) { SMTPMailer(clock: try $0.resolve()) }
/// try await locator.verify()                   // one error lists all that is missing
/// let mailer: any Mailer = try await locator.resolve()
/// try await locator.close()                    // ends everything, the last made first
/// ```
///
/// A locator is a scope: ``child(named:)`` makes one below it, which finds what this one has
/// and may have services of its own. All functions may be called by any thread or task at any
/// time, also while services are made or ended: no lock is held while user code runs.
///
/// Use it where a program is put together, and pass objects their dependencies by their
/// initializers.
public final class ServiceLocator: Sendable {
    /// The name of the scope, for errors and descriptions.
    public let name: String

    /// The scope above, which is searched for keys that this one does not have.
    public let parent: ServiceLocator?

    let state = Lock(ScopeState())
    /// The ready services, for lock-free readers.
    ///
    /// Written while `state` is
    /// locked, and by the closing.
    let published = LockFreeTable()
    /// Whether the scope is closed or being closed.
    ///
    /// Set once, while `state` is locked.
    let isClosing = Atomic(false)
    /// The parent, for readers: counting references to it would make threads contend.
    let uncountedParent: Unmanaged<ServiceLocator>?
    /// A copy of the shared instance, since a global costs a check with each use.
    let epochGuard = EpochGuard.shared

    /// Makes a scope with nothing above it.
    ///
    /// ```swift
    /// let locator = ServiceLocator(named: "app")
    /// ```
    public convenience init(named name: String = "root") {
        self.init(named: name, parent: nil)
    }

    init(named name: String, parent: ServiceLocator?) {
        self.name = name
        self.parent = parent
        uncountedParent = parent.map { .passUnretained($0) }
    }

    // A scope that was not closed releases its services, the last first. Their hooks do not
    // run, since nothing could await them.
    deinit {
        var built = state.withLock { $0.instances.removeAll() }
        while built.popLast() != nil {}
    }
}

extension ServiceLocator {
    /// This and the scopes above it, this first.
    var scopes: [ServiceLocator] {
        var scopes = [self]
        while let parent = scopes.last?.parent { scopes.append(parent) }
        return scopes
    }

    /// Whether this is the other scope or below it.
    func isWithin(_ other: ServiceLocator) -> Bool {
        var scope: ServiceLocator? = self
        while let current = scope {
            if current === other { return true }
            scope = current.parent
        }
        return false
    }
}
