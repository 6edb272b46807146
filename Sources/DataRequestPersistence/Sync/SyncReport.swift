#if RequestCore
/// The report of a sync.
public struct SyncReport: Sendable, Hashable {
    /// Inserted rows.
    public internal(set) var inserted = 0
    /// Rows with changed values.
    public internal(set) var updated = 0
    /// Rows that already had the received values, for which nothing was written.
    public internal(set) var unchanged = 0
    /// Rows that were not received any more, and were deleted.
    public internal(set) var deleted = 0
    /// Rows that were not touched because of a queued change of their own.
    public internal(set) var kept = 0
    /// Elements for which the mapping returned nil.
    public internal(set) var passedOver = 0
    /// Elements that were refused.
    public internal(set) var refused = 0
    /// The first hundred of the refused elements, with the reasons.
    public internal(set) var refusals: [SyncRefusal] = []
    /// Pages that were read.
    public internal(set) var pages = 0
    /// Bytes of their bodies.
    public internal(set) var bytes: Int64 = 0
    /// Whether the server answered that nothing has changed, so that nothing was written.
    public internal(set) var isNotModified = false
    /// Elements stored by an earlier, interrupted run that this one has continued.
    public internal(set) var elementsBefore = 0
    /// Whether no rows were deleted, although requested, because elements were refused.
    ///
    /// The rows of refused elements are unknown.
    public internal(set) var isDeletingWithheld = false

    /// Makes a report, for tests of code that takes one.
    public init(
        inserted: Int = 0, updated: Int = 0, unchanged: Int = 0, deleted: Int = 0, kept: Int = 0,
        passedOver: Int = 0, refused: Int = 0, refusals: [SyncRefusal] = [], pages: Int = 0,
        bytes: Int64 = 0, isNotModified: Bool = false, elementsBefore: Int = 0,
        isDeletingWithheld: Bool = false
    ) {
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        self.deleted = deleted
        self.kept = kept
        self.passedOver = passedOver
        self.refused = refused
        self.refusals = refusals
        self.pages = pages
        self.bytes = bytes
        self.isNotModified = isNotModified
        self.elementsBefore = elementsBefore
        self.isDeletingWithheld = isDeletingWithheld
    }

    mutating func add(_ refusal: SyncRefusal) {
        refused += 1
        if refusals.count < 100 { refusals.append(refusal) }
    }

    /// Adds the changes of a batch.
    mutating func add(_ batch: SyncReport) {
        inserted += batch.inserted
        updated += batch.updated
        unchanged += batch.unchanged
        deleted += batch.deleted
        kept += batch.kept
        passedOver += batch.passedOver
        refused += batch.refused
        refusals += batch.refusals.prefix(100 - min(100, refusals.count))
        isDeletingWithheld = isDeletingWithheld || batch.isDeletingWithheld
    }
}

/// An element that could not be stored.
public struct SyncRefusal: Sendable, Hashable {
    /// Its number among the elements of all pages, from 0.
    public var element: Int
    /// Where it begins in the body of its page, in bytes.
    public var offset: Int64
    /// The code of the reason, such as `uniqueViolation` or `undecodable`.
    public var code: String
    /// The reason, without values.
    public var reason: String

    /// Makes a refusal, for tests of code that takes one.
    public init(element: Int, offset: Int64, code: String, reason: String) {
        self.element = element
        self.offset = offset
        self.code = code
        self.reason = reason
    }
}

/// The progress of a sync.
public struct SyncProgress: Sendable, Hashable {
    /// Stored elements, those of an earlier run that is continued included.
    public var elements: Int
    /// How many there are in all, if the server has sent `X-Total-Count`.
    public var totalElements: Int?
    /// Pages of which all elements are stored.
    public var pages: Int
    /// Bytes that were read.
    public var bytes: Int64
    /// The number of bytes in all, if there is one page and the server has stated its length.
    public var totalBytes: Int64?

    /// Makes a state, for tests of code that takes one.
    public init(
        elements: Int, totalElements: Int? = nil, pages: Int = 0, bytes: Int64 = 0,
        totalBytes: Int64? = nil
    ) {
        self.elements = elements
        self.totalElements = totalElements
        self.pages = pages
        self.bytes = bytes
        self.totalBytes = totalBytes
    }
}
#endif
