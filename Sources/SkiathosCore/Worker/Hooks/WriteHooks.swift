/// An entity with hooks that run before its objects are written.
///
/// ```swift
/// extension Note: WriteHooks {
///     static func willUpdate(_ note: Managed<Note>, in context: WriteContext) throws {
///         note.changed = Date()
///     }
///     static func willDelete(_ note: Managed<Note>, in context: WriteContext) throws {
///         try Trash.create(in: context) { $0.title = note.title }
///     }
/// }
/// ```
///
/// Hooks run inside the write, before its changes are flushed to the store: at its end, and
/// before each of its queries. Before `find` and `related` they run only if the write has
/// deleted a row with which the requested row may be deleted. They run before validation, and
/// before anything is applied. They may change the object, and create, change and delete
/// others, whose hooks run then. An error that a hook throws fails the write.
///
/// A query of a hook finds the rows as they were before the flush, with the present values of
/// the objects that the write tracks. `update(where:set:)`, `deleteAll(where:)` and `nested`
/// cannot be used in a hook.
///
/// They do not run for rows that are changed by `update(where:set:)`, deleted by
/// `deleteAll(where:)`, or changed or deleted by the delete rule of a reference.
public protocol WriteHooks: Entity {
    /// Called once for each object that is about to be inserted.
    static func willInsert(_ object: Managed<Self>, in context: WriteContext) throws
    /// Called for each object of which columns are about to be updated, and again if another hook
    /// changes it afterwards.
    static func willUpdate(_ object: Managed<Self>, in context: WriteContext) throws
    /// Called once for each object whose row is about to be deleted. It can be read, but not
    /// changed.
    static func willDelete(_ object: Managed<Self>, in context: WriteContext) throws
}

extension WriteHooks {
    /// Does nothing.
    public static func willInsert(_ object: Managed<Self>, in context: WriteContext) throws {}
    /// Does nothing.
    public static func willUpdate(_ object: Managed<Self>, in context: WriteContext) throws {}
    /// Does nothing.
    public static func willDelete(_ object: Managed<Self>, in context: WriteContext) throws {}
}
