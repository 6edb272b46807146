public import SkiathosStore

/// A row that a full-text search has found.
public struct SearchResult<E: Entity>: Sendable {
    /// The row.
    public let value: E
    /// How well it matches: the smaller, the better.
    ///
    /// Comparable within one search only. By the function BM25 (sqlite.org/fts5.html, section
    /// 5.1.1).
    public let rank: Double
    /// The texts of the searchable columns, by their names, with marks around the words that
    /// were found; without columns that have no value.
    public let highlights: [String: String]

    /// Makes a result, for tests of code that takes one.
    public init(value: E, rank: Double = 0, highlights: [String: String] = [:]) {
        self.value = value
        self.rank = rank
        self.highlights = highlights
    }
}

extension SearchResult: Equatable where E: Equatable {}

extension Query {
    /// The rows whose searchable columns match a text as a user has typed it.
    ///
    /// ```swift
    /// @Entity struct Track { @Searchable var name = "" }
    /// try Track.query.matching("love rock").all(in: context)
    /// // … WHERE ("id" IN (SELECT rowid FROM "skiathos_search_track" WHERE … MATCH '"love" AND "rock"'))
    /// ```
    ///
    /// Words are compared without regard to case and diacritics; punctuation separates them. A text
    /// without words matches no row.
    ///
    /// - Throws: when it is run, `StoreError` with code `invalidRequest` if the entity has no
    ///   searchable column.
    public func matching(_ text: String, _ matching: SearchTerms.Matching = .allWords) -> Query {
        let terms = Condition<E>(.search(SearchTerms(text, matching: matching)))
        return with {
            $0.condition = $0.isLimited ? $0.refused(.matching) : $0.condition && terms
        }
    }

    /// The rows that match a text, the best first, with the matches in them.
    ///
    /// ```swift
    /// for result in try Track.query.search("love", .prefixes, limit: 20, in: context) {
    ///     print(result.highlights["name"] ?? "", result.rank)      // [Love]ly Day -1.7
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - text: What a user has typed.
    ///   - matching: How its words are matched.
    ///   - marks: The texts before and after each word that was found.
    ///   - limit: The most results, at least 0; all without one.
    ///   - context: The context of the access; a search of a write sees its changes.
    /// - Throws: `StoreError` with code `invalidRequest` if the entity has no searchable column;
    ///   `DataAccessError` with that code if the query has sort keys, a limit or an offset.
    public func search(
        _ text: String, _ matching: SearchTerms.Matching = .allWords,
        marks: (String, String) = ("[", "]"), limit: Int? = nil, in context: some QueryContext
    ) throws -> [SearchResult<E>] {
        guard orderings.isEmpty, rowLimit == nil, rowOffset == 0 else {
            throw DataAccessError(
                .invalidRequest,
                "A search in \(E.schema.typeName) returns the best rows first, so its query must have no sort keys, limit or offset. Use matching to sort them otherwise, or the limit of search."
            )
        }
        // A stored mark is text like any other; NUL would end it.
        for mark in [marks.0, marks.1] { _ = try StoreValue(mark, Coding.of(String.self)) }
        let request = SearchRequest(
            SearchTerms(text, matching: matching), in: try self.limit(limit).request(in: context),
            openingMark: marks.0, closingMark: marks.1)
        var results: [SearchResult<E>] = []
        try context.query { session in
            try session.search(request) { cursor in
                while cursor.next() { results.append(try SearchResult(row: cursor.row)) }
            }
        }
        // Relationships of values are loaded in reads only.
        if let context = context as? ReadContext {
            try context.fetched(results.map(\.value), prefetches)
        }
        return results
    }
}

extension Entity {
    /// The rows that match a text, the best first, with the matches in them.
    public static func search(
        _ text: String, _ matching: SearchTerms.Matching = .allWords,
        marks: (String, String) = ("[", "]"), limit: Int? = nil, in context: some QueryContext
    ) throws -> [SearchResult<Self>] {
        try query.search(text, matching, marks: marks, limit: limit, in: context)
    }
}

extension Condition {
    /// The searchable columns of the row match a text as a user has typed it.
    ///
    /// ```swift
    /// try Album.all(where: { $0.tracks.exists { _ in .matching("love") } }, in: context)
    /// ```
    public static func matching(
        _ text: String, _ matching: SearchTerms.Matching = .allWords
    ) -> Condition {
        Condition(
            RowClosure.innermostRow(of: E.self)
                .of(E.self, .search(SearchTerms(text, matching: matching))))
    }
}

extension SearchResult {
    fileprivate init(row: RowReader) throws {
        let schema = E.schema
        let rankPosition = schema.columns.count
        value = try E(row: row)
        rank = row.real(at: rankPosition)
        var highlights: [String: String] = [:]
        for (number, column) in schema.searchable.enumerated() {
            highlights[schema.columns[column].name] = row.text(at: rankPosition + 1 + number)
        }
        self.highlights = highlights
    }
}
