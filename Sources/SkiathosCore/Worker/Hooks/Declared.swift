/// Checks of conformances in the code that `@Entity` writes.
///
/// The compiler refuses an entity that declares `willInsert` without conforming to
/// `WriteHooks`, wherever the conformance might have stood.
public enum Declared {
    /// Accepts an entity that conforms.
    @inlinable public static func hooks<E: WriteHooks>(_ type: E.Type) -> E.Type { type }

    /// Refuses an entity that does not conform.
    @available(
        *, unavailable,
        message:
            "this entity declares willInsert, willUpdate or willDelete, which are called only if it conforms to WriteHooks."
    )
    @_disfavoredOverload
    public static func hooks<E: Entity>(_ type: E.Type) -> E.Type { type }

    /// Accepts an entity that conforms.
    @inlinable public static func observing<E: CommitObserving>(_ type: E.Type) -> E.Type { type }

    /// Refuses an entity that does not conform.
    @available(
        *, unavailable,
        message:
            "this entity declares didCommit, which is called only if it conforms to CommitObserving."
    )
    @_disfavoredOverload
    public static func observing<E: Entity>(_ type: E.Type) -> E.Type { type }
}
