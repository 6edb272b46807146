public import SkiathosStore

/// A context that queries can run in: that of a `read`, or that of a `write`.
public protocol QueryContext: AnyObject {
    /// The entities of the store.
    var schema: StoreSchema { get }
    /// Runs a closure with the connection of this context.
    ///
    /// A write first flushes its pending changes to the open transaction, so that every query
    /// sees them.
    ///
    /// - Throws: ``DataAccessError`` with code `contextEnded` after the context's closure has
    ///   ended, `CancellationError` after the task was cancelled, or what the closure throws.
    func query<R>(_ body: (any StoreSession) throws -> R) throws -> R
}

extension QueryContext {
    /// The position of an entity in the store's schema.
    @inlinable
    func position<E: Entity>(of entity: E.Type) throws -> Int {
        guard let position = schema.position(of: E.self) else {
            throw DataAccessError.unknownEntity(E.self)
        }
        return position
    }
}

extension DataAccessError {
    @usableFromInline @inline(never)
    static func unknownEntity(_ type: Any.Type) -> DataAccessError {
        DataAccessError(
            .unknownEntity,
            "\(type) is not among the entities of this store. Add \(type).self to the entities when opening."
        )
    }

    static var connectionIsLent: DataAccessError {
        DataAccessError(
            .nestedAccess,
            "A write's context was asked for something of the store inside a closure that has its connection. Use the connection there, or the context before or after."
        )
    }

    @usableFromInline @inline(never)
    static func contextEnded(_ kind: String) -> DataAccessError {
        DataAccessError(
            .contextEnded,
            "The context of a \(kind) was used after its closure had ended. Do the work inside the closure."
        )
    }
}
