public import SkiathosStore

/// How a save resolves conflicts.
///
/// ```swift
/// try await child.save(.parent, merging: .resolving { conflict in
///     conflict.column == "note" ? .mine : .theirs
/// })
/// ```
public struct MergePolicy: Sendable {
    /// The outcome of one conflict.
    public enum Resolution: Sendable, Hashable {
        /// The service's version wins; a row that was deleted elsewhere is inserted again.
        case mine
        /// The other version stays: the parent's, or the stored one.
        case theirs
        /// The column takes this value; only for conflicts of the kind `bothChanged`.
        ///
        /// A value that the property cannot hold is refused with the code `invalidResolution`.
        case value(StoreValue)
    }

    /// Resolves a conflict; `nil` leaves it to be thrown.
    let resolve: @Sendable (Conflict) throws -> Resolution?

    /// All conflicts are thrown in one error, and nothing is saved.
    public static let throwing = MergePolicy { _ in nil }
    /// What the service holds wins.
    public static let mine = MergePolicy { _ in .mine }
    /// The other version stays: the parent's, or the stored one.
    public static let theirs = MergePolicy { _ in .theirs }

    /// Resolves each conflict with a closure; `nil` leaves the conflict to be thrown.
    ///
    /// The closure runs while the write permit is held, and must not call the service.
    public static func resolving(
        _ resolve: @escaping @Sendable (Conflict) throws -> Resolution?
    ) -> MergePolicy {
        MergePolicy(resolve: resolve)
    }
}
