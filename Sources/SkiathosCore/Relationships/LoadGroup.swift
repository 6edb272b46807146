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
    final var relations: [Key: Any] {
        get { details?.relations ?? [:] }
        _modify { yield &existingDetails.relations }
    }
    /// The loaded references.
    @exclusivity(unchecked) @usableFromInline final var references: [LoadedReference] = []
    /// The type of the rows.
    @usableFromInline final let entity: ObjectIdentifier
    /// The number of rows.
    @usableFromInline final let count: Int
    /// What only to-many relationships need.
    private final class Details {
        var relations: [Key: Any] = [:]
        let ids: [StoreValue]
        let members: Set<StoreValue>

        init(_ ids: [StoreValue]) {
            self.ids = ids
            members = Set(ids)
        }
    }

    @exclusivity(unchecked) private final var details: Details?

    private final var existingDetails: Details {
        if let details { return details }
        let new = Details(makeIDs())
        details = new
        return new
    }

    /// The IDs of the rows.
    final var ids: [StoreValue] { existingDetails.ids }

    @usableFromInline
    init(_ entity: ObjectIdentifier, count: Int) {
        self.entity = entity
        self.count = count
    }

    /// Collects the IDs of the rows, on first use.
    func makeIDs() -> [StoreValue] { [] }

    final func contains(_ id: StoreValue) -> Bool { existingDetails.members.contains(id) }

    /// Whether anything was loaded.
    final var hasValues: Bool { !relations.isEmpty || !references.isEmpty }

    /// Discards what was loaded.
    final func forgetValues() {
        details?.relations = [:]
        references = []
    }
}

/// A single row, which was fetched alone or came from elsewhere.
final class SingleRowGroup: LoadGroup {
    private let id: StoreValue

    init(_ entity: any Entity.Type, id: StoreValue) {
        self.id = id
        super.init(ObjectIdentifier(entity), count: 1)
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
