/// How far an operation or a save takes its changes: pending here, in the parent, or in the
/// store.
///
/// ```swift
/// try await service.update(User.self, where: { $0.age >= 65 }) { users, _ in
///     for user in users { user.isRetired = true }
///     return .store
/// }
/// ```
public enum SaveDepth: String, Sendable, Hashable, CaseIterable {
    /// The changes stay pending in the service, visible only to its own queries and its
    /// children's.
    case keep
    /// All pending changes of the service move to its parent and are pending there. For a
    /// service without a parent they go to the store.
    case parent
    /// All pending changes of the service and its ancestors are saved to the store, in one
    /// write.
    case store
}
