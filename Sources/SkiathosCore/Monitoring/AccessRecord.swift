import SkiathosLocks
import SkiathosStore
import Synchronization

/// What is observed of one access: its statements, if they are logged, and its span, if it is
/// traced.
final class AccessRecord: Sendable {
    private struct Contents: Sendable {
        var statements: [LoggedStatement] = []
        var dropped = 0
        var error: (any Error)?
    }

    /// Where the statements are reported; `nil` if they are not logged.
    let logger: StatementLogger?
    private let access: LoggedStatement.Access
    private let place: SourcePlace?
    private let span: (any AccessSpan)?
    /// Changed by the thread that runs the access, which is not always the one that has begun it.
    private let contents = Lock(Contents())

    init(
        _ access: LoggedStatement.Access, _ place: SourcePlace?, _ logger: StatementLogger?,
        _ span: (any AccessSpan)?
    ) {
        self.access = access
        self.place = place
        self.logger = logger
        self.span = span
    }

    /// Adds statements, up to the logger's limit.
    func add(_ taken: RecordedStatements, as access: LoggedStatement.Access?) {
        guard let logger else { return }
        let logged = logger.logged(taken.statements, access ?? self.access, place)
        contents.withLock { contents in
            let kept = logged.prefix(max(0, logger.limit - contents.statements.count))
            contents.statements += kept
            contents.dropped += taken.dropped + logged.count - kept.count
        }
    }

    /// Records that the access has its connection or permit.
    func admitted() { span?.admitted() }

    /// Records that the access has failed; ``end()`` follows.
    func fail(_ error: any Error) { contents.withLock { $0.error = error } }

    /// Ends the span and reports the statements; called once, after the access has released
    /// everything.
    func end() {
        let contents = contents.withLock { $0 }
        span?.end(contents.error)
        logger?.report(contents.statements, contents.dropped)
    }

    /// Does the same for an access that no caller waits for: its thread may be one of the store's
    /// own, where a handler that waits for the store would wait for ever.
    func endInBackground() {
        let contents = contents.withLock { $0 }
        span?.end(contents.error)
        logger?.reportLater(contents.statements, contents.dropped)
    }
}
