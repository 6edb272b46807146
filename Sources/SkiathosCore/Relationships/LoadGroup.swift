import SkiathosStore

/// What was fetched together in one context, and what was loaded for it since.
///
/// A relationship of one row is loaded for all rows that were fetched together with it, so that no
/// loop turns into as many statements as it has rounds.
@usableFromInline
class LoadGroup {
    /// What was loaded of a to-many relationship.
    struct Key: Hashable {
        /// The request without the owners.
        var request: FetchRequest
        var isCount: Bool
    }

    // All guarded by the context that the batch belongs to: its closure runs on one thread at a time.
    // What is not watched by the runtime is only read and set as a whole.

    /// What was loaded of to-many relationships, by the ID of the owner.
    final var relations: [Key: Any] = [:]
    /// What was loaded of references.
    @exclusivity(unchecked) @usableFromInline final var references: [LoadedReference] = []
    /// The type of the rows.
    @usableFromInline final let entity: ObjectIdentifier
    /// How many rows there are.
    @usableFromInline final let count: Int
    /// The IDs of the rows.
    private(set) final lazy var ids = makeIDs()
    private final lazy var members = Set(ids)

    @usableFromInline
    init(_ entity: any Entity.Type, count: Int) {
        self.entity = ObjectIdentifier(entity)
        self.count = count
    }

    /// Makes the IDs of the rows, for the first who asks.
    func makeIDs() -> [StoreValue] { [] }

    final func contains(_ id: StoreValue) -> Bool { members.contains(id) }

    /// Whether anything was loaded.
    final var hasValues: Bool { !relations.isEmpty || !references.isEmpty }

    /// Forgets what was loaded.
    final func forgetValues() {
        relations = [:]
        references = []
    }
}

/// A row that was fetched alone, or came from elsewhere.
final class SingleRowGroup: LoadGroup {
    private let id: StoreValue

    init(_ entity: any Entity.Type, id: StoreValue) {
        self.id = id
        super.init(entity, count: 1)
    }

    override func makeIDs() -> [StoreValue] { [id] }
}

/// What was loaded for a reference of the rows of a batch.
@usableFromInline
class LoadedReference {
    /// The position of the reference.
    final let position: Int
    /// The position of the entity that it leads to in the store's schema.
    final let target: Int
    /// The key path with which it was asked for last, which mostly is the very object of the next
    /// time; guarded like the batch.
    @exclusivity(unchecked) @usableFromInline final var keyPath: AnyKeyPath

    @usableFromInline
    init(position: Int, target: Int, _ keyPath: AnyKeyPath) {
        self.position = position
        self.target = target
        self.keyPath = keyPath
    }
}
