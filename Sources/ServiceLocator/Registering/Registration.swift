import SkiathosLocks
import Synchronization

/// One registration of a scope.
///
/// Holds no instance that was made from it.
final class Registration: Sendable {
    typealias Hook = @Sendable (ErasedBox) async throws -> Void

    enum Source: Sendable {
        case instance(ErasedBox)
        case lazy(@Sendable (ServiceLocator) throws -> ErasedBox)
        case asynchronous(@Sendable (ServiceLocator) async throws -> ErasedBox)
        case weak(any WeakSource)
        case weakProxy(ErasedBox, isAlive: @Sendable () -> Bool)
    }

    let key: ServiceKey
    let source: Source
    let lifetime: ServiceLifetime
    let onClose: Hook?
    /// Where it was registered, as `file:line`.
    let place: String
    /// The keys that its constructions have resolved, in order, for all scopes.
    private let observed = Lock<[ServiceKey]>([])

    init<P>(_ key: ServiceKey, _ provider: ServiceProvider<P>, place: String) {
        self.key = key
        self.source = provider.source
        self.lifetime = provider.lifetime
        self.onClose = provider.onClose
        self.place = place
    }

    var dependencies: [ServiceKey] { observed.withLock { $0 } }

    func observe(_ dependency: ServiceKey) {
        observed.withLock { if !$0.contains(dependency) { $0.append(dependency) } }
    }

    var isAsynchronous: Bool {
        if case .asynchronous = source { true } else { false }
    }

    /// The marks of the tagged pointers to its instances.
    var marks: UInt {
        (isAsynchronous ? TaggedPointer.asynchronous : 0)
            | (lifetime == .scoped ? TaggedPointer.scoped : 0)
    }

    /// The box of a service that needs no construction.
    var initialBox: ErasedBox? {
        switch source {
        case .instance(let box), .weakProxy(let box, _): box
        case .lazy, .asynchronous, .weak: nil
        }
    }

    /// Whether it refers weakly to an object that is gone.
    var isDead: Bool {
        switch source {
        case .weak(let source): !source.isAlive
        case .weakProxy(_, let isAlive): !isAlive()
        case .instance, .lazy, .asynchronous: false
        }
    }

    /// The kind, as descriptions of the graph show it.
    var kind: String {
        switch source {
        case .instance: "instance"
        case .lazy: "lazy"
        case .asynchronous: "asynchronous"
        case .weak: "weak"
        case .weakProxy: "weak proxy"
        }
    }
}
