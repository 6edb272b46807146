/// A full-text search whose results have their rank and marked texts.
///
/// A row has all columns of the entity in order; then its rank, the better the smaller; then the text
/// of each searchable column, in order, with marks around the words that were found.
public struct SearchRequest: Sendable, Hashable {
    /// The search terms.
    public var terms: SearchTerms
    /// The rows to search; its sort keys must be empty, since the best rows come first.
    public var rows: FetchRequest
    /// The mark before each found word.
    public var openingMark: String
    /// The mark after each found word.
    public var closingMark: String

    /// Makes a request.
    public init(
        _ terms: SearchTerms, in rows: FetchRequest, openingMark: String, closingMark: String
    ) {
        self.terms = terms
        self.rows = rows
        self.openingMark = openingMark
        self.closingMark = closingMark
    }
}
