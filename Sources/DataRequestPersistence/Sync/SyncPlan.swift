#if RequestCore
import DataRequestCore
import HTTPTypes
import PlatformFoundation
import SkiathosCore
import SkiathosStore

/// What stays the same during a sync.
struct SyncPlan<E: Entity, Item: Decodable & Sendable>: Sendable {
    let dal: DataAccessLayer
    let service: DataRequestService
    let request: DataRequest
    /// The columns by which elements find their rows.
    let key: UpsertKey<E>
    let options: SyncOptions<E>
    let map: @Sendable (Item, WriteContext) throws -> E?

    /// The name under which the state is kept.
    var name: String { options.name ?? "\(E.schema.table) \(target)" }

    private var target: String {
        switch request.target {
        case .path(let path): path
        case .foreign(let url): "\(url.host() ?? "")\(url.path())"
        }
    }

    /// What decodes elements and envelopes.
    var decoder: JSONDecoder { options.decoder ?? service.configuration.decoder }

    /// Whether rows that did not come are deleted, for which those that did are marked.
    var isMarking: Bool { options.deletingVanished.condition != nil }

    /// Whether the server is asked only for what has changed.
    var isConditional: Bool {
        switch options.validating {
        case .singlePages: options.pages.kind == SyncPages.single.kind
        case .firstPage: true
        case .never: false
        }
    }

    /// A short text that differs where what was kept of an earlier sync is of no use.
    var fingerprint: String {
        var parts = [
            service.baseAddress.absoluteString, request.method.rawValue, target,
            options.pages.kind, "\(options.place)", "\(key.columns)", "\(isMarking)",
            "\(options.mappingVersion)", E.schema.table,
        ]
        parts += request.query.map { "?\($0.name)=\($0.value ?? "")" }
        // Nobody who reads the store learns a secret from a hash with all of this in it, and a new
        // token is no other request.
        parts += request.headers.filter { !Credentials.isOne($0.name.rawName) }
            .map { "\($0.name.canonicalName):\($0.value)" }
        if case .bytes(let data) = request.body.source { parts.append(data.base64EncodedString()) }
        return String(Fingerprint.hash(parts.joined(separator: "\u{1F}")), radix: 16)
    }
}

/// Elements that are stored together.
struct SyncBatch<Item: Sendable>: Sendable {
    struct Entry: Sendable {
        let number: Int
        let offset: Int64
        let item: Item

        func refusal(_ code: String, _ reason: String) -> SyncRefusal {
            SyncRefusal(element: number, offset: offset, code: code, reason: reason)
        }
    }

    var entries: [Entry] = []
    /// Those that could not even be decoded.
    var refusals: [SyncRefusal] = []

    var count: Int { entries.count + refusals.count }
}

/// How far a run has come, stored with the elements that have brought it there.
struct SyncCheckpoint: Sendable {
    /// Whether nothing of the run was stored yet.
    var isNewRun = true
    /// Whether this is the end of the run.
    var isEnd = false
    /// The page that is being read; nil for the first one.
    var position: String?
    var elementsOfPage = 0
    var elements = 0
    /// How many pages came before.
    var pages = 0
    var firstValidators: Validators?
    var pageValidators: Validators?
}
#endif
