import SkiathosLocks
import Synchronization

/// State that other modules keep for one store, for as long as its data access layer lives.
final class Attachments: Sendable {
    private let objects = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The object of a type, created by the first call.
    func object<T: AnyObject & Sendable>(_ type: T.Type, _ make: () -> T) -> T {
        objects.withLock { objects in
            let key = ObjectIdentifier(T.self)
            if let object = objects[key] as? T { return object }
            let object = make()
            objects[key] = object
            return object
        }
    }
}

extension DataAccessLayer {
    /// The state that another module keeps for this store, created by the first call.
    ///
    /// ```swift
    /// extension DataAccessLayer { var claims: QueueClaims { attachment { QueueClaims() } } }
    /// ```
    ///
    /// - Parameter make: Must not use the data access layer.
    package func attachment<T: AnyObject & Sendable>(_ make: () -> T) -> T {
        attachments.object(T.self, make)
    }
}
