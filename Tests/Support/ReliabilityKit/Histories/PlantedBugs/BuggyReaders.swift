import SkiathosStore

/// A reader whose statements each see what is committed when they begin.
final class TornReader: StoreReader {
    private let base: any StoreReader

    init(base: any StoreReader) { self.base = base }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try body(TornSession(base: base))
    }

    func interrupt() { base.interrupt() }
}

private final class TornSession: StoreSession {
    private let base: any StoreReader

    init(base: any StoreReader) { self.base = base }

    func fetch(_ request: FetchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.read { try $0.fetch(request, body) }
    }

    func fetch(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws { try base.read { try $0.fetch(entity: entity, id: id, body) } }

    func fetch(
        entity: Int, ids: [StoreValue], _ body: (inout RowCursor) throws -> Void
    ) throws { try base.read { try $0.fetch(entity: entity, ids: ids, body) } }

    func fetch(_ request: ProjectionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.read { try $0.fetch(request, body) }
    }

    func fetch(_ request: UnionRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.read { try $0.fetch(request, body) }
    }

    func search(_ request: SearchRequest, _ body: (inout RowCursor) throws -> Void) throws {
        try base.read { try $0.search(request, body) }
    }

    func count(_ request: FetchRequest) throws -> Int { try base.read { try $0.count(request) } }
    func exists(_ request: FetchRequest) throws -> Bool { try base.read { try $0.exists(request) } }
    func integrityProblems() throws -> [String] { try base.read { try $0.integrityProblems() } }

    func explain(_ request: FetchRequest) throws -> QueryExplanation {
        try base.read { try $0.explain(request) }
    }

    func explain(_ request: ProjectionRequest) throws -> QueryExplanation {
        try base.read { try $0.explain(request) }
    }

    // No history has a budget.
    func metering<R>(
        _ meter: (any QueryMeter)?, _ body: () throws -> R
    ) throws -> R { try body() }
}

/// A reader that renews the snapshot which a read has reserved.
final class RenewingReader: ForwardingReader {
    let base: any StoreReader

    init(base: any StoreReader) { self.base = base }

    func readReserved(_ body: (any StoreSession) throws -> Void) throws {
        base.endReservation(discarding: false)
        try base.read(body)
    }
}

/// A reader that takes an earlier snapshot for one of the newest version.
final class OutdatedReader: ForwardingReader {
    let base: any StoreReader

    init(base: any StoreReader) { self.base = base }

    func readEarlier(
        _ body: (_ session: any StoreSession, _ version: UInt64) throws -> Void
    ) throws {
        // Even, and below the number for no version.
        try base.readEarlier { session, _ in try body(session, .max - 3) }
    }
}

/// A reader that looks at the writer's connection, whatever lies open there.
final class DirtyReader: StoreReader {
    private let writer: any StoreWriter

    init(writer: any StoreWriter) { self.writer = writer }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try writer.withSession { try body($0) }
    }

    func interrupt() {}
}
