import Dispatch
import Logging
import SkiathosStore

/// Reports the statements of one store to the handler of its ``StatementLog``.
final class StatementLogger: Sendable {
    /// How many statements of one access are reported.
    let limit: Int
    private let store: String
    private let handler: @Sendable (LoggedStatement) -> Void
    /// Where statements are reported that no access awaits.
    ///
    /// Not a queue of the store's own work, which a handler that calls the store may wait for.
    private let queue = DispatchQueue(label: "skiathos.statements")

    init(_ log: StatementLog, _ configuration: Configuration) {
        limit = max(1, log.limit)
        store = configuration.label
        handler = log.handler ?? Self.logging(to: configuration.storeLogger)
    }

    /// Takes the statements that a session has recorded, for the access that runs on this thread;
    /// called while the connection is held.
    ///
    /// - Parameter access: The kind of work, if it is another one than the access'.
    func collect(_ session: any StoreSession, as access: LoggedStatement.Access? = nil) {
        let taken = session.takeStatements()
        guard !taken.isEmpty else { return }
        switch StatementScope.current(of: self) {
        case .access(let record): record.add(taken, as: access)
        case .handler: break
        case .none:
            reportLater(logged(taken.statements, access ?? .maintenance, nil), taken.dropped)
        }
    }

    /// Reports the statements of migrations.
    func migrated(_ taken: RecordedStatements) {
        report(logged(taken.statements, .migration, nil), taken.dropped)
    }

    /// Calls the handler with statements; called while nothing of the store is held.
    func report(_ statements: [LoggedStatement], _ dropped: Int) {
        guard !statements.isEmpty else { return }
        StatementScope.inHandler(of: self) {
            for (index, statement) in statements.enumerated() {
                var statement = statement
                if index == statements.count - 1 { statement.dropped = dropped }
                handler(statement)
            }
        }
    }

    /// Calls the handler with statements on a queue.
    func reportLater(_ statements: [LoggedStatement], _ dropped: Int) {
        guard !statements.isEmpty else { return }
        queue.async { [self] in report(statements, dropped) }
    }

    func logged(
        _ statements: [RecordedStatement], _ access: LoggedStatement.Access,
        _ place: SourcePlace?
    ) -> [LoggedStatement] {
        statements.map { statement in
            LoggedStatement(
                sql: statement.sql, duration: statement.duration, rows: statement.rows,
                isFullScan: statement.isFullScan, plan: statement.plan, access: access,
                place: place?.description, store: store)
        }
    }

    private static func logging(to logger: Logger) -> @Sendable (LoggedStatement) -> Void {
        { statement in
            logger.warning(
                "A statement took \(statement.duration): \(statement.sql)",
                metadata: statement.metadata)
        }
    }
}

extension LoggedStatement {
    /// The properties that the message does not hold.
    fileprivate var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [
            "skiathos.access": "\(access.rawValue)",
            "skiathos.statement.full_scan": "\(isFullScan)",
        ]
        if let place { metadata["skiathos.place"] = "\(place)" }
        if let rows { metadata["skiathos.statement.rows"] = "\(rows)" }
        if !plan.isEmpty { metadata["skiathos.statement.plan"] = .array(plan.map { "\($0)" }) }
        if dropped > 0 { metadata["skiathos.statement.dropped"] = "\(dropped)" }
        return metadata
    }
}
