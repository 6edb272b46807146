#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import SkiathosCore
import SkiathosStore

/// The constants of a sync: what it requests, and what distinguishes it from other syncs.
struct SyncPlan<E: Entity>: Sendable {
    /// The columns that match elements to rows.
    let key: UpsertKey<E>
    let options: SyncOptions<E>
    /// The base URL of the environment in which the run has begun, for all of its pages.
    ///
    /// What a run stores belongs to this server, also if the service is switched to another one
    /// meanwhile.
    let baseURL: URL
    private let service: DataRequestService
    private let request: DataRequest

    init(
        service: DataRequestService, request: DataRequest, key: UpsertKey<E>,
        options: SyncOptions<E>
    ) {
        baseURL = service.baseAddress
        self.service = service
        self.request = request
        self.key = key
        self.options = options
    }

    /// The name under which the state is stored.
    var name: String { options.name ?? "\(E.schema.table) \(target)" }

    private var target: String {
        switch request.target {
        case .path(let path): path
        case .external(let url): "\(url.host() ?? "")\(url.path())"
        }
    }

    /// The decoder of elements and envelopes.
    var decoder: JSONDecoder { options.decoder ?? service.configuration.decoder }

    /// Whether rows that were not received are deleted, for which received ones are marked.
    var isMarking: Bool { options.deleteMissing.rows != nil }

    /// Whether a run records the keys of delivered requests, whose rows it must not delete.
    var isRecordingDeliveries: Bool { isMarking && options.skipRowsWithQueuedChanges != nil }

    /// Whether requests are conditional.
    var isConditional: Bool {
        switch options.revalidation {
        case .singlePages: options.pages.kind == SyncPages.single.kind
        case .firstPage: true
        case .never: false
        }
    }

    /// A hash that differs if the stored state of an earlier sync cannot be used.
    var fingerprint: String {
        var parts = [
            baseURL.absoluteString, request.method.rawValue, target,
            options.pages.kind, "\(options.place)", "\(key.columns)", "\(isMarking)",
            "\(options.mappingVersion)", E.schema.table,
        ]
        parts += request.query.map { "?\($0.name)=\($0.value ?? "")" }
        // Credentials are left out: a reader of the store must not learn a secret from the
        // hash, and a new token does not make another request.
        parts += request.headers.filter { !CredentialNames.isCredentialName($0.name.rawName) }
            .map { "\($0.name.canonicalName):\($0.value)" }
        if case .bytes(let data) = request.body.source { parts.append(data.base64EncodedString()) }
        return String(Fingerprint.hash(parts.joined(separator: "\u{1F}")), radix: 16)
    }

    /// The request for a page; nil is the first one.
    func pageRequest(at position: String?) throws -> DataRequest {
        try options.pages.request(request, position, baseURL)
    }

    /// Sends a request for a page.
    ///
    /// - Throws: `invalidPage` if the service was switched to another base URL, whose pages do not
    ///   belong to this run.
    func response(for request: DataRequest) async throws -> IncomingResponse {
        try await service.response(for: request) { [baseURL] environment in
            guard environment.baseURL == baseURL else {
                throw DataRequestError(
                    .invalidPage,
                    "The environment was switched during the sync. Sync again; the sync starts over."
                )
            }
        }
    }
}

/// A batch of elements that are stored in one write.
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
    /// The elements that could not be decoded.
    var refusals: [SyncRefusal] = []

    var count: Int { entries.count + refusals.count }
}

/// The progress of a run, stored in the same write as its elements.
struct SyncCheckpoint: Sendable {
    /// Whether the run has not stored anything yet.
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
