#if RequestCore
/// What a sync has done.
public struct SyncReport: Sendable, Hashable {
    /// Rows that are new.
    public internal(set) var inserted = 0
    /// Rows that held something else.
    public internal(set) var updated = 0
    /// Rows that held what came already, for which nothing was written.
    public internal(set) var unchanged = 0
    /// Rows that did not come any more, and were deleted.
    public internal(set) var deleted = 0
    /// Rows that were left as they are because of a queued change of their own.
    public internal(set) var kept = 0
    /// Elements for which the mapping gave nothing.
    public internal(set) var passedOver = 0
    /// Elements that were refused.
    public internal(set) var refused = 0
    /// The first hundred of the refused elements, with the reasons.
    public internal(set) var refusals: [SyncRefusal] = []
    /// Pages that were read.
    public internal(set) var pages = 0
    /// Bytes of their bodies.
    public internal(set) var bytes: Int64 = 0
    /// Whether the server has said that nothing has changed, so that nothing was written at all.
    public internal(set) var isNotModified = false
    /// Elements that an earlier run had stored, which was broken off and has been continued.
    public internal(set) var elementsBefore = 0
    /// Whether nothing was deleted although that was asked for, since elements were refused and it
    /// is not known which rows they stand for.
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

    /// Adds what a batch has done.
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
    /// The reason in words, without values.
    public var reason: String

    /// Makes a refusal, for tests of code that takes one.
    public init(element: Int, offset: Int64, code: String, reason: String) {
        self.element = element
        self.offset = offset
        self.code = code
        self.reason = reason
    }
}

/// How far a sync has come.
public struct SyncProgress: Sendable, Hashable {
    /// Elements that lie in the store, those of an earlier run that is continued included.
    public var elements: Int
    /// How many there are in all, if the server has said it in `X-Total-Count`.
    public var totalElements: Int?
    /// Pages of which all elements lie in the store.
    public var pages: Int
    /// Bytes that were read.
    public var bytes: Int64
    /// How many there will be, if there is one page and the server has said its length.
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
