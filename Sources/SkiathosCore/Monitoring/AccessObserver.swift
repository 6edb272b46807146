/// Begins the records of accesses, where statements are logged or accesses traced.
final class AccessObserver: Sendable {
    private let logger: StatementLogger?
    private let tracer: (any AccessTracer)?
    private let store: String

    /// `nil` if nothing is observed.
    init?(_ logger: StatementLogger?, _ configuration: Configuration) {
        guard logger != nil || configuration.tracer != nil else { return nil }
        self.logger = logger
        tracer = configuration.tracer
        store = configuration.label
    }

    /// Begins the record of a read.
    func beginRead(_ place: SourcePlace) -> AccessRecord {
        record(.read, place) {
            TracedAccess(kind: .read, store: store, place: place.description)
        }
    }

    /// Begins the record of a write.
    func beginWrite(_ place: SourcePlace, _ level: Acknowledgement) -> AccessRecord {
        record(.write, place) {
            TracedAccess(
                kind: .write, store: store, place: place.description, acknowledgement: level)
        }
    }

    /// Begins the record of an access without a span.
    func begin(_ access: LoggedStatement.Access) -> AccessRecord { record(access, nil) { nil } }

    private func record(
        _ access: LoggedStatement.Access, _ place: SourcePlace?, _ traced: () -> TracedAccess?
    ) -> AccessRecord {
        let span = tracer.flatMap { tracer in traced().map { tracer.begin($0) } }
        // What a handler of statements does with the store is not logged.
        let isLogged = logger.map { StatementScope.current(of: $0).isAccessOrNone } ?? false
        return AccessRecord(access, place, isLogged ? logger : nil, span)
    }
}

extension StatementScope.Current? {
    /// Whether the thread is not inside of a handler.
    fileprivate var isAccessOrNone: Bool {
        if case .handler = self { false } else { true }
    }
}
