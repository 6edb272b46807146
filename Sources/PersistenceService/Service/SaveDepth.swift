/// How far changes go when an operation, or a save, is done.
///
/// ```swift
/// try await service.update(User.self, where: { $0.age >= 65 }) { users, _ in
///     for user in users { user.isRetired = true }
///     return .store
/// }
/// ```
public enum SaveDepth: String, Sendable, Hashable, CaseIterable {
    /// They stay pending in the service, seen by its own queries and those of its children alone.
    case keep
    /// All that is pending in the service goes to its parent, where it is pending. The parent of a
    /// service without one is the store.
    case parent
    /// All that is pending in the service and in all its ancestors goes to the store, in one write.
    case store
}
