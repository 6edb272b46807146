/// A full-text search whose results come with their rank and with what was found in them.
///
/// A row has all columns of the entity in order; then its rank, the better the smaller; then the text
/// of each searchable column, in order, with marks around the words that were found.
public struct SearchRequest: Sendable, Hashable {
    /// What is looked for.
    public var terms: SearchTerms
    /// Which rows are looked through; its sort keys must be empty, since the best come first.
    public var rows: FetchRequest
    /// What is put before each word that was found.
    public var openingMark: String
    /// What is put after each word that was found.
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
