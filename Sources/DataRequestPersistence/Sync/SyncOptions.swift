#if RequestCore
public import DataRequestCore
public import SkiathosPlatformFoundation
public import SkiathosCore

/// The options of a sync.
///
/// ```swift
/// var options = SyncOptions<Track>()
/// options.pages = .linkHeader
/// options.deleteMissing = .all
/// options.progress = { print("\($0.elements) tracks") }
/// ```
public struct SyncOptions<E: Entity>: Sendable {
    /// The name under which the state of the sync is stored; if nil, the table and the path.
    ///
    /// Give syncs with the same path and different queries names of their own.
    public var name: String?
    /// The place of the elements in a page.
    public var place = ElementPlace.array
    /// How one page leads to the next.
    public var pages = SyncPages.single
    /// How many elements are stored in a write, at least 1; 500 by default.
    ///
    /// Rows that exchange unique values have to come in one write.
    public var batchSize = 500
    /// Which rows are deleted if the server does not send them any more.
    public var deleteMissing = MissingRows.never
    /// What happens if an element cannot be decoded, mapped or stored.
    public var onInvalidElement = InvalidElementAction.fail
    /// When requests are conditional on a change.
    public var revalidation = Revalidation.singlePages
    /// Returns the queue key of a row, whose queued requests protect it from the sync.
    ///
    /// While a request with that key is pending, the sync does not touch the row. The
    /// protection ends with a page that is requested after the delivery. From ``deleteMissing`` the
    /// row is protected until the end of the run, also if that is interrupted and continued.
    public var skipRowsWithQueuedChanges: (@Sendable (E) -> String?)?
    /// Copies data that the server does not have from the existing row to the new value; must
    /// not change the key.
    public var merging: (@Sendable (_ value: inout E, _ existing: E) -> Void)?
    /// The version of the mapping; raise it when the mapping changes, so that everything is
    /// fetched again.
    public var mappingVersion = 0
    /// Whether to ignore an interrupted run and the stored validators.
    public var startsAnew = false
    /// The largest number of pages of a run, which ends a circle of links.
    public var maximumPages = 100_000
    /// Size limits of the parts of a page that are held in memory.
    public var limits = ElementLimits()
    /// Decodes the elements; if nil, the `Configuration.decoder` of the service does.
    ///
    /// Do not change it afterwards.
    public var decoder: JSONDecoder?
    /// Called with the progress after each write.
    public var progress: (@Sendable (SyncProgress) -> Void)?

    /// Makes options with the defaults.
    public init() {}

    /// Which rows are deleted at the end of a run that has not received them.
    ///
    /// They are deleted in the write that ends a run, if the run has read everything. If an
    /// element was refused, no row is deleted, since the row of that element is unknown.
    public struct MissingRows: Sendable {
        /// Which rows may be deleted; none are if nil.
        let rows: Query<E>?

        /// None.
        public static var never: MissingRows { MissingRows(rows: nil) }
        /// All rows that were not received.
        public static var all: MissingRows { MissingRows(rows: E.query) }
        /// Rows that meet a condition and were not received, for a sync of a part of the rows.
        ///
        /// ```swift
        /// options.deleteMissing = .where { $0.album == album }
        /// ```
        public static func `where`(
            @ConditionBuilder<E> _ condition: @Sendable (E.Columns) -> Condition<E>
        ) -> MissingRows { MissingRows(rows: E.where(condition)) }
    }

    /// What happens if an element cannot be decoded, mapped or stored.
    public enum InvalidElementAction: Sendable {
        /// The sync fails; the writes before stay, and the next sync continues after them.
        case fail
        /// The element is left out and reported, and the others of its write are stored.
        case skip
    }

    /// When requests are conditional, by the validators of the first page.
    public enum Revalidation: Sendable {
        /// If there is a single page.
        case singlePages
        /// Also with several pages, for servers whose first page changes with any of them.
        case firstPage
        /// Never.
        case never
    }
}
#endif
