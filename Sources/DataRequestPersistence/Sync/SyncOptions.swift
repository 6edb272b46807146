#if RequestCore
public import DataRequestCore
public import PlatformFoundation
public import SkiathosCore

/// How elements become rows, and what else happens in a sync.
///
/// ```swift
/// var options = SyncOptions<Track>()
/// options.pages = .linkHeader
/// options.deletingVanished = .all
/// options.progress = { print("\($0.elements) tracks") }
/// ```
public struct SyncOptions<E: Entity>: Sendable {
    /// The name under which the state of the sync is kept; that of the table and the path if nil.
    ///
    /// Give syncs with the same path and different queries names of their own.
    public var name: String?
    /// Where in a page the elements stand.
    public var place = ElementPlace.array
    /// How one page leads to the next.
    public var pages = SyncPages.single
    /// How many elements are stored in a write, at least 1; 500 by default.
    public var batchSize = 500
    /// Which rows are deleted that did not come.
    public var deletingVanished = Vanishing.never
    /// What happens if an element cannot be decoded, mapped or stored.
    public var refusing = Refusing.fail
    /// When a server is asked only for what has changed.
    public var validating = Validating.singlePages
    /// The key of the requests in the offline queue that carry changes of a row, if there are any.
    ///
    /// A row is left as it is while such a request waits, and until a page was asked for
    /// after its delivery.
    public var keepingPending: (@Sendable (E) -> String?)?
    /// Brings what the server does not know from the row that is there into the value that replaces
    /// it; must not change the key.
    public var merging: (@Sendable (_ value: inout E, _ existing: E) -> Void)?
    /// A number that is raised when the mapping changes, so that everything is asked for anew.
    public var mappingVersion = 0
    /// Whether to forget a run that was broken off, and what is known of the last answer.
    public var startsAnew = false
    /// The most pages of a run, so that a server that links in a circle does not keep it for ever.
    public var maximumPages = 100_000
    /// How large the parts of a page may be that are held in memory.
    public var limits = ElementLimits()
    /// Decodes the elements, and is not to be changed afterwards; the `Configuration.decoder` of the
    /// service if nil.
    public var decoder: JSONDecoder?
    /// Hears how far the sync has come, after each write.
    public var progress: (@Sendable (SyncProgress) -> Void)?

    /// Makes options with the defaults.
    public init() {}

    /// Which rows are deleted at the end of a run that did not come in it.
    ///
    /// Only at the end of a run that has read everything, in the write that ends it, and not if an
    /// element was refused, since it is not known which row it stands for.
    public struct Vanishing: Sendable {
        /// Which rows may be deleted; none are if nil.
        let condition: Condition<E>?

        /// None.
        public static var never: Vanishing { Vanishing(condition: nil) }
        /// All that did not come.
        public static var all: Vanishing { Vanishing(condition: .always) }
        /// Those that meet a condition and did not come, as for a sync of a part of the rows.
        ///
        /// ```swift
        /// options.deletingVanished = .where { $0.album == album }
        /// ```
        public static func `where`(
            @ConditionBuilder<E> _ condition: @Sendable (E.Columns) -> Condition<E>
        ) -> Vanishing { Vanishing(condition: condition(E.columns)) }
    }

    /// What happens if an element cannot be decoded, mapped or stored.
    public enum Refusing: Sendable {
        /// The sync fails; the writes before stay, and the next sync goes on behind them.
        case fail
        /// The element is left out and reported, and the others of its write are stored.
        case skip
    }

    /// When a server is asked only for what has changed, by what it said of the first page.
    public enum Validating: Sendable {
        /// Where everything is one page.
        case singlePages
        /// Also where there are several, for servers whose first page changes with any of them.
        case firstPage
        /// Never.
        case never
    }
}
#endif
