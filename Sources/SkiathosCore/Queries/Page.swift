/// Some of the rows of a query, and the tokens of the adjacent pages.
public struct Page<Element> {
    /// The rows, by the sort keys of the query.
    public let elements: [Element]
    /// Where the next page begins, or `nil` if there was none when this one was fetched.
    public let next: PageToken?
    /// Where the page before ends, or `nil` if this one was the first when it was fetched.
    public let previous: PageToken?

    /// Makes a page, for tests of code that takes one.
    public init(elements: [Element], next: PageToken? = nil, previous: PageToken? = nil) {
        self.elements = elements
        self.next = next
        self.previous = previous
    }
}

extension Page: Sendable where Element: Sendable {}
