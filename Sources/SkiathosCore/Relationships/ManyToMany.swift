import SkiathosStore

/// The rows of another entity that rows of a linking entity connect with a row.
///
/// ```swift
/// @Entity struct Playlist {
///     var name = ""
///     var tracks: ManyToMany<Track, Entry> { ManyToMany(\.playlist, \.track, of: id) }
/// }
/// @Entity struct Entry {
///     @Unique(with: "track") @References(onDelete: .cascade) var playlist: Playlist.ID = .unassigned
///     @References(onDelete: .cascade) var track: Track.ID = .unassigned
///     var position = 0                                    // attributes of the link, if wanted
/// }
///
/// try playlist.tracks.order { $0.position.ascending }.all(in: context)
/// // SELECT … FROM "entry" WHERE ("playlist" IN (…)) ORDER BY "position", "id"
/// // SELECT … FROM "track" WHERE ("id" IN (…))     two statements for all playlists together
/// ```
public struct ManyToMany<Element: Entity, Link: Entity>: Sendable {
    /// The links themselves, with their attributes.
    public let links: ToMany<Link>

    let ownerReference: Int
    let elementReference: Int
    private let elementID: any KeyPath<Link, EntityID<Element>> & Sendable
    private let connect: @Sendable (inout Link, EntityID<Element>) -> Void

    /// The rows that links connect with a row.
    ///
    /// - Parameters:
    ///   - owner: The link's reference to this row; a key path that is not stored traps.
    ///   - element: The link's reference to the other row; a key path that is not stored traps.
    ///   - id: This row.
    public init<Owner: Entity>(
        _ owner: any WritableKeyPath<Link, EntityID<Owner>> & Sendable,
        _ element: any WritableKeyPath<Link, EntityID<Element>> & Sendable, of id: EntityID<Owner>
    ) {
        links = ToMany(owner, of: id)
        ownerReference = Link.position(ofReference: owner)
        elementReference = Link.position(ofReference: element)
        elementID = element
        connect = { link, other in
            link[keyPath: owner] = id
            link[keyPath: element] = other
        }
    }

    private init(_ other: ManyToMany, links: ToMany<Link>) {
        self.links = links
        ownerReference = other.ownerReference
        elementReference = other.elementReference
        elementID = other.elementID
        connect = other.connect
    }

    /// The rows in an order of their links; without one, in the order of the links' IDs.
    public func order(@OrderBuilder<Link> _ keys: (Link.Columns) -> [Ordering<Link>]) -> ManyToMany
    {
        ManyToMany(self, links: links.order(keys))
    }

    /// Only the rows whose link meets a condition.
    public func filter(
        @ConditionBuilder<Link> _ condition: (Link.Columns) -> Condition<Link>
    ) -> ManyToMany {
        ManyToMany(self, links: links.filter(condition))
    }

    /// The values of the rows, in the order of the links.
    ///
    /// Loaded at once for all owners that were fetched together, in two statements.
    public func all(in context: ReadContext) throws -> [Element] {
        try links.all(in: context).compactMap { try $0.related(elementID, in: context) }
    }

    /// The tracked objects of the rows, in the order of the links, changes of the write included.
    public func all(in context: WriteContext) throws -> [Managed<Element>] {
        try links.all(in: context).compactMap { try $0.related(elementID, in: context) }
    }

    /// The number of the links, counted at once for all owners that were fetched together.
    public func count(in context: ReadContext) throws -> Int { try links.count(in: context) }

    /// The number of the links, changes of the write included.
    public func count(in context: WriteContext) throws -> Int { try links.count(in: context) }

    /// Connects a row, unless it is connected already.
    ///
    /// ```swift
    /// try playlist.tracks.add(track.id, in: context) { $0.position = 7 }   // INSERT INTO "entry" …
    /// ```
    ///
    /// - Parameters:
    ///   - element: The row to connect.
    ///   - context: The context of the write.
    ///   - change: Sets attributes of the link, also of one that is there already.
    /// - Returns: The link.
    @discardableResult
    public func add(
        _ element: EntityID<Element>, in context: WriteContext,
        _ change: (Managed<Link>) throws -> Void = { _ in }
    ) throws -> Managed<Link> where Link.RawID: GeneratedKey {
        let link =
            try existing(element, in: context)
            ?? Link.create(in: context) { connect(&$0, element) }
        try change(link)
        return link
    }

    /// Removes a connection, if it exists.
    ///
    /// - Returns: Whether it existed.
    @discardableResult
    public func remove(_ element: EntityID<Element>, in context: WriteContext) throws -> Bool {
        guard let link = try existing(element, in: context) else { return false }
        try link.delete()
        return true
    }

    private func existing(
        _ element: EntityID<Element>, in context: WriteContext
    ) throws -> Managed<Link>? {
        let key = Result { try StoreValue(element, Coding.of(EntityID<Element>.self)) }
        let reference = elementReference
        return try links.query.where { _ in
            Condition(key.map { .comparison(.column(reference), .equal, .value($0)) })
        }.first(in: context)
    }
}
