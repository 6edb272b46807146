/// Some of the rows of a query, and where the pages beside them are.
public struct Page<Element> {
    /// The rows, by the sort keys of the query.
    public let elements: [Element]
    /// Where the next page begins, or `nil` if there was none when this one was fetched.
    public let next: PageToken?
    /// Where the page before ends, or `nil` if this one was the first when it was fetched.
    public let previous: PageToken?
}

extension Page: Sendable where Element: Sendable {}
