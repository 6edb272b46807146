import SkiathosStore

/// Rows that were fetched together in one context, and the relationships that were loaded for
/// them.
///
/// A relationship of one row is loaded for all rows that were fetched together with it, so
/// that a loop does not run one statement for each row.
@usableFromInline
class LoadGroup {
    /// The key of a to-many relationship that was loaded.
    struct Key: Hashable {
        /// The request without the owners.
        var request: FetchRequest
        var isCount: Bool
    }

    // All guarded by the context that the group belongs to: its closure runs on one thread at
    // a time. Fields whose exclusive access is not checked at run time are only read and set
    // as a whole.

    /// The loaded rows of to-many relationships, by the ID of the owner.
    final var relations: [Key: Any] = [:]
    /// The loaded references.
    @exclusivity(unchecked) @usableFromInline final var references: [LoadedReference] = []
    /// The type of the rows.
    @usableFromInline final let entity: ObjectIdentifier
    /// The number of rows.
    @usableFromInline final let count: Int
    /// The IDs of the rows.
    private(set) final lazy var ids = makeIDs()
    private final lazy var members = Set(ids)

    @usableFromInline
    init(_ entity: any Entity.Type, count: Int) {
        self.entity = ObjectIdentifier(entity)
        self.count = count
    }

    /// Collects the IDs of the rows, on first use.
    func makeIDs() -> [StoreValue] { [] }

    final func contains(_ id: StoreValue) -> Bool { members.contains(id) }

    /// Whether anything was loaded.
    final var hasValues: Bool { !relations.isEmpty || !references.isEmpty }

    /// Discards what was loaded.
    final func forgetValues() {
        relations = [:]
        references = []
    }
}

/// A single row, which was fetched alone or came from elsewhere.
final class SingleRowGroup: LoadGroup {
    private let id: StoreValue

    init(_ entity: any Entity.Type, id: StoreValue) {
        self.id = id
        super.init(entity, count: 1)
    }

    override func makeIDs() -> [StoreValue] { [id] }
}

/// The rows that were loaded for a reference of the rows of a group.
@usableFromInline
class LoadedReference {
    /// The position of the reference.
    final let position: Int
    /// The position of the entity that it leads to in the store's schema.
    final let target: Int
    /// The key path of the last access, mostly the same object as that of the next; guarded
    /// like the group.
    @exclusivity(unchecked) @usableFromInline final var keyPath: AnyKeyPath

    @usableFromInline
    init(position: Int, target: Int, _ keyPath: AnyKeyPath) {
        self.position = position
        self.target = target
        self.keyPath = keyPath
    }
}
