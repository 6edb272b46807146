import SkiathosStore

/// How deep and how large a condition or an expression is.
///
/// Operators know it of their operands, so a chain of any length is refused before it is so deep that
/// looking at it, or freeing it, overflows the stack of a thread.
@usableFromInline
struct Extent: Sendable {
    /// How many parts stand inside of each other; a query inside of another one counts as four.
    @usableFromInline let depth: Int32
    /// How many parts there are altogether, those that are shared counted each time.
    @usableFromInline let size: Int32

    @inlinable
    init(depth: Int32, size: Int32) {
        self.depth = depth
        self.size = size
    }

    /// The most parts inside of each other.
    ///
    /// The parser of SQLite has a stack of 100 symbols (sqlite.org/limits.html), of which a statement takes
    /// some, and each level one at least. Walking as deep takes less than 512 KiB of stack without
    /// optimisation, which is what the threads of Swift's concurrency have.
    @inlinable static var deepest: Int32 { 90 }

    /// How much of it a query inside of another one takes, whose parentheses and words are symbols, too.
    static let ofQuery: Int32 = 4

    /// The most parts: some hundred thousand comparisons.
    @inlinable static var largest: Int32 { 1_000_000 }

    /// The most sort keys of a query, and the most selections of a union, while they are listed.
    ///
    /// The store's own limit is lower.
    @inlinable static var longestList: Int { 10_000 }

    /// A column or a value.
    @inlinable static var leaf: Extent { Extent(depth: 1, size: 1) }

    /// The extent of a part that is made of two parts.
    @inlinable
    static func joining(_ left: Extent, _ right: Extent) -> Extent {
        Extent(depth: max(left.depth, right.depth) + 1, size: left.size + right.size + 1)
    }

    /// The extent of a part that is made of one part.
    @inlinable var around: Extent { Extent(depth: depth + 1, size: size + 1) }

    /// The error of a query with such a part; `nil` if it is neither too deep nor too large.
    @inlinable var refusal: (any Error)? {
        depth <= Self.deepest && size <= Self.largest ? nil : error
    }

    @usableFromInline @inline(never)
    var error: any Error {
        let (found, most) =
            depth > Self.deepest
            ? ("more than \(Self.deepest) parts inside of each other", "more levels")
            : ("more than \(Self.largest) parts", "more parts")
        return StoreError(
            .tooComplex,
            "A query has a condition or an expression with \(found). Split the query, look for one of many values by 'in', or keep what is computed in a column, instead of adding \(most)."
        )
    }

    /// The error for too many sort keys, or selections of a union.
    @usableFromInline @inline(never)
    static func tooLong(_ list: String) -> any Error {
        StoreError(
            .tooComplex,
            "A query has more than \(longestList) \(list), and no store takes as many. Use fewer, or sort and join what is fetched."
        )
    }
}

extension Extent {
    /// The extent of an expression, or of a mistake.
    init(of source: Result<StoreExpression, any Error>) {
        switch source {
        case .success(let expression): self.init(of: .expression(expression))
        case .failure: self = .leaf
        }
    }

    /// Counts the parts of an expression or a condition.
    ///
    /// It stops at the first part beyond the limits.
    init(of part: StorePart) {
        var counter = PartCounter()
        counter.visit(part, depth: 1)
        self.init(depth: counter.depth, size: counter.size)
    }
}

/// Counts parts.
private struct PartCounter {
    /// Whether a part is about a row around, for which no query is needed.
    private static func isOuter(_ part: StorePart) -> Bool {
        switch part {
        case .expression(.outer), .predicate(.outer): true
        case .expression, .predicate: false
        }
    }

    var depth: Int32 = 0
    var size: Int32 = 0

    mutating func visit(_ part: StorePart, depth: Int32) {
        guard size <= Extent.largest else { return }
        size += 1
        self.depth = max(self.depth, depth)
        guard depth <= Extent.deepest else { return }
        let inside = Self.isOuter(part) ? 1 : Extent.ofQuery
        part.forEachPart { visit($0, depth: depth + ($1 > 0 ? inside : 1)) }
    }
}
