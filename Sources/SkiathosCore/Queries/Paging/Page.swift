/// Some of the rows of a query, and where to go on.
public struct Page<Element> {
    /// The rows, by the sort keys of the query.
    public let elements: [Element]
    /// Where the next page begins, or `nil` if there was none when this one was fetched.
    public let next: PageToken?
}

extension Page: Sendable where Element: Sendable {}
