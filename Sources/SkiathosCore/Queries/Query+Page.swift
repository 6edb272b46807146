import SkiathosStore

extension Query {
    /// The values of some rows, and the position where the next ones begin.
    ///
    /// A page begins after the last row of the one before, by the values of its sort keys, so
    /// rows that were inserted or deleted meanwhile do not shift it. Pages neither overlap nor
    /// leave out a row whose sort keys stay the same.
    ///
    /// ```swift
    /// let users = User.order { [$0.lastname.ascending, $0.age.descending] }
    /// let first = try users.page(size: 50, in: context)
    /// let second = try users.page(size: 50, after: first.next, in: context)
    /// // … WHERE ("lastname" >= ? AND (("lastname" > ?) OR ("lastname" = ? AND …)))
    /// // ORDER BY "lastname", "age" DESC, "id" LIMIT 51
    /// let again = try users.page(size: 50, before: second.previous, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - size: The most rows of a page, at least 1.
    ///   - token: The `next` of the page before; without one, the first page.
    ///   - context: The context of the read.
    /// - Throws: `DataAccessError` with code `invalidRequest` for a size below 1, a token of
    ///   another query or a text that is none, and a query with a limit or an offset.
    public func page(
        size: Int, after token: PageToken? = nil, in context: ReadContext
    ) throws -> Page<E> {
        try page(size, token, .after, in: context) {
            try $0.all(in: context)
        } value: {
            $0
        }
    }

    /// The tracked objects of some rows, and the position where the next ones begin.
    public func page(
        size: Int, after token: PageToken? = nil, in context: WriteContext
    ) throws -> Page<Managed<E>> {
        try page(size, token, .after, in: context) {
            try $0.all(in: context)
        } value: {
            $0.current
        }
    }

    /// The values of the rows that come before a position, in the order of the query.
    ///
    /// ```swift
    /// let back = try users.page(size: 50, before: page.previous, in: context)
    /// ```
    ///
    /// - Parameters:
    ///   - size: The most rows of a page, at least 1.
    ///   - token: The `previous` of the page after; without one, the last page.
    ///   - context: The context of the read.
    /// - Throws: `DataAccessError` with code `invalidRequest`, as for the rows after a
    ///   position.
    public func page(
        size: Int, before token: PageToken?, in context: ReadContext
    ) throws -> Page<E> {
        try page(size, token, .before, in: context) {
            try $0.all(in: context)
        } value: {
            $0
        }
    }

    /// The tracked objects of the rows that come before a position, in the order of the query.
    public func page(
        size: Int, before token: PageToken?, in context: WriteContext
    ) throws -> Page<Managed<E>> {
        try page(size, token, .before, in: context) {
            try $0.all(in: context)
        } value: {
            $0.current
        }
    }

    private func page<Row>(
        _ size: Int, _ token: PageToken?, _ side: PageSide, in context: some QueryContext,
        _ fetch: (Query) throws -> [Row], value: (Row) -> E
    ) throws -> Page<Row> {
        guard size >= 1, rowLimit == nil, rowOffset == 0 else {
            throw DataAccessError(
                .invalidRequest,
                "A page of \(E.schema.typeName) needs a size of at least 1 (here \(size)), and a query without a limit or an offset of its own."
            )
        }
        let request = try request(in: context)
        let keys = SortKeys(self, request)
        var (query, own) = (self, keys)
        if side == .before {
            // Backwards, the rows before a position are those that come after it.
            query = reversed(keys)
            own = SortKeys(query, try query.request(in: context))
        }
        // The additional row shows whether there is another page.
        let (wanted, isBeyond) = size.addingReportingOverflow(1)
        var rows = try fetch(
            query.continued(from: token, of: keys, by: own).limit(isBeyond ? size : wanted))
        let isLast = rows.count <= size
        if !isLast { rows.removeLast() }
        if side == .before { rows.reverse() }
        func place(_ row: Row?) throws -> PageToken? {
            guard let row = row.map(value) else { return nil }
            let values = try values(of: keys, for: row, request.entity, in: context)
            return try PageToken(
                PagePosition(
                    query: keys.signature, values: values.map(PagePosition.KeyValue.init)))
        }
        // On the other side of the page lies the row of the token.
        let (hasPrevious, hasNext) =
            side == .after ? (token != nil, !isLast) : (!isLast, token != nil)
        return Page(
            elements: rows, next: hasNext ? try place(rows.last) : nil,
            previous: hasPrevious ? try place(rows.first) : nil)
    }

    /// The same rows in the opposite order.
    private func reversed(_ keys: SortKeys) -> Query {
        with { query in
            query.orderings = zip(keys.keys, keys.storages).map { key, storage in
                Ordering(
                    order: .success(.init(key.expression, descending: !key.descending)),
                    storage: storage)
            }
        }
    }

    /// The rows after the position of a token, whose query had some keys, by this query's
    /// keys.
    private func continued(
        from token: PageToken?, of keys: SortKeys, by own: SortKeys
    ) throws -> Query {
        guard let token else { return self }
        guard let position = token.position, position.query == keys.signature,
            let values = keys.values(position.values)
        else {
            throw DataAccessError(
                .invalidRequest,
                "The token is not that of a page of this query of \(E.schema.typeName): it is damaged, or the sort keys are others or of other types. Begin without one."
            )
        }
        return following(values, own)
    }

    /// The rows that come after the one with these sort keys.
    func following(_ values: [StoreValue], _ keys: SortKeys) -> Query {
        with {
            $0.condition = $0.condition && Condition(keys.following(values))
            $0.rowOffset = 0
        }
    }

    /// The sort keys of a row.
    func values(
        of keys: SortKeys, for row: E, _ entity: Int, in context: some QueryContext
    ) throws -> [StoreValue] {
        let columns = try keys.keys.map { key -> StoreValue? in
            guard case .column(let column) = key.expression else { return nil }
            return try StoreValue.capture { try row.bind(column, to: $0, at: 0) }
        }
        guard columns.contains(nil) else { return columns.compactMap(\.self) }
        // Computed keys are read from the store, which computed them for sorting.
        let id = try StoreValue(row.id, Coding.of(E.ID.self))
        let rows = FetchRequest(
            entity: entity, predicate: .comparison(.column(0), .equal, .value(id)))
        var values: [StoreValue] = []
        try context.query { session in
            try session.fetch(ProjectionRequest(keys.keys.map(\.expression), of: rows)) { cursor in
                guard cursor.next() else { return }
                values = keys.storages.enumerated().map { cursor.row.value(at: $0, $1) }
            }
        }
        return values
    }
}

/// The side of a position on which a page lies.
private enum PageSide {
    case after
    case before
}

extension RowReader {
    /// The value at a position, which is stored in a known way.
    fileprivate func value(at position: Int, _ storage: StorageClass) -> StoreValue {
        guard !isNull(at: position) else { return .null }
        return switch storage {
        case .integer: .integer(integer(at: position))
        case .real: .real(real(at: position))
        case .text, .decimal: .text(text(at: position) ?? "")
        case .blob: .blob(withBytes(at: position) { Array($0) })
        }
    }
}
