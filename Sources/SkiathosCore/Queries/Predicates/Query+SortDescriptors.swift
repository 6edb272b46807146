import SkiathosStore

// Sort descriptors are not in Foundation's small part on Linux, since some compare by language.
#if canImport(FoundationInternationalization)
public import FoundationEssentials
public import FoundationInternationalization
#else
public import Foundation
#endif

extension Ordering {
    /// The order of a sort descriptor of Foundation.
    ///
    /// ```swift
    /// User.query.order { [Ordering(SortDescriptor(\.lastname, comparator: .lexical)), $0.age.descending] }
    /// ```
    ///
    /// Texts are ordered by their Unicode scalars. A descriptor that orders them by the rules of a
    /// language makes the query fail with a ``DataAccessError`` of code `unsupportedPredicate`, and
    /// so does a key path that is no stored column.
    public init(_ descriptor: SortDescriptor<E>) {
        let column = descriptor.keyPath.flatMap { E.column(at: $0) } ?? 0
        self.init(
            order: Result { try Self.order(descriptor) }, storage: E.schema.columns[column].storage)
    }

    private static func order(_ descriptor: SortDescriptor<E>) throws -> FetchRequest.Order {
        guard let keyPath = descriptor.keyPath else {
            throw DataAccessError(
                .unsupportedPredicate,
                "A sort descriptor of \(E.schema.typeName) has no key path. Make it of the key path of a stored property."
            )
        }
        if let comparator = descriptor.stringComparator, comparator != .lexical {
            throw DataAccessError(
                .unsupportedPredicate,
                "A sort descriptor orders the texts of \(name(of: keyPath)) by the rules of a language (localized or localizedStandard), which the store does not know. Use comparator: .lexical, the order of Unicode scalars, or sort the fetched values."
            )
        }
        guard case .expression(let expression, let coding) = try E.storedColumn(at: keyPath) else {
            preconditionFailure("A stored column is an expression.")
        }
        guard coding.isOrdered else {
            throw DataAccessError(
                .unsupportedPredicate,
                "A sort descriptor orders by \(name(of: keyPath)), which is kept as JSON and has no order in the store. Sort the fetched values."
            )
        }
        let row = RowClosure.innermostRow(of: E.self)
        return FetchRequest.Order(
            row.of(E.self, expression), descending: descriptor.order == .reverse)
    }
}

extension Query {
    /// Sorts by descriptors of Foundation, the most important first, after the existing sort
    /// keys of the query.
    ///
    /// ```swift
    /// User.query.sorted(by: [SortDescriptor(\.age, order: .reverse), SortDescriptor(\.lastname, comparator: .lexical)])
    /// // … ORDER BY "age" DESC, "lastname", "id"
    /// ```
    ///
    /// Rows without a value come first, with `.reverse` last. Running the query throws a
    /// ``DataAccessError`` of code `unsupportedPredicate` for a descriptor that orders texts by the
    /// rules of a language; on Apple platforms that is the default for texts.
    public func sorted(by descriptors: [SortDescriptor<E>]) -> Query {
        order { _ in descriptors.map { Ordering($0) } }
    }

    /// Sorts by descriptors of Foundation, the most important first.
    public func sorted(by descriptors: SortDescriptor<E>...) -> Query { sorted(by: descriptors) }
}

extension Entity {
    /// All rows in the order of descriptors of Foundation, as a query.
    public static func sorted(by descriptors: SortDescriptor<Self>...) -> Query<Self> {
        query.sorted(by: descriptors)
    }

    /// The values that meet a predicate, in the order of descriptors.
    ///
    /// ```swift
    /// let users = try User.all(
    ///     matching: #Predicate { $0.age >= 18 }, sortedBy: [SortDescriptor(\.age, order: .reverse)],
    ///     limit: 50, in: context)
    /// // SELECT … FROM "user" WHERE ("age" >= 18) ORDER BY "age" DESC, "id" LIMIT 50
    /// ```
    ///
    /// - Throws: `DataAccessError` with code `unsupportedPredicate` for an expression or order
    ///   that a store cannot compute; see `Query.where(_:)` and `Query.sorted(by:)`.
    public static func all(
        matching predicate: Predicate<Self>, sortedBy descriptors: [SortDescriptor<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: ReadContext
    ) throws -> [Self] {
        try self.where(predicate).sorted(by: descriptors).limit(limit).offset(offset)
            .all(in: context)
    }

    /// The tracked objects of the rows that meet a predicate, in the order of descriptors.
    ///
    /// The query sees the write's own pending changes.
    public static func all(
        matching predicate: Predicate<Self>, sortedBy descriptors: [SortDescriptor<Self>] = [],
        limit: Int? = nil, offset: Int = 0, in context: WriteContext
    ) throws -> [Managed<Self>] {
        try self.where(predicate).sorted(by: descriptors).limit(limit).offset(offset)
            .all(in: context)
    }
}
