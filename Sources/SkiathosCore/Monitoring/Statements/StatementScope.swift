import SkiathosPlatformLibC

/// Finds the access that statements belong to: the one that runs on this thread.
///
/// A closure runs from beginning to end on one thread, as ``AccessScope`` relies on as well.
enum StatementScope {
    /// What a thread does for a logger.
    enum Current {
        /// It runs an access.
        case access(AccessRecord)
        /// It runs the handler, whose own accesses are not logged.
        case handler
    }

    private struct Frame {
        let logger: ObjectIdentifier
        /// Alive while the frame exists; `nil` inside of the handler.
        let record: Unmanaged<AccessRecord>?
        let outer: UnsafeMutablePointer<Frame>?
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let code = pthread_key_create(&key, nil)
        precondition(code == 0, "No thread-specific key is left: pthread_key_create gave \(code).")
        return key
    }()

    private static var innermost: UnsafeMutablePointer<Frame>? {
        pthread_getspecific(key)?.assumingMemoryBound(to: Frame.self)
    }

    /// What this thread does for a logger, innermost first.
    static func current(of logger: StatementLogger) -> Current? {
        var frame = innermost
        while let found = frame?.pointee {
            if found.logger == ObjectIdentifier(logger) {
                return found.record.map { .access($0.takeUnretainedValue()) } ?? .handler
            }
            frame = found.outer
        }
        return nil
    }

    /// Runs a part of an access on this thread, if its statements are logged.
    @inline(__always)
    static func run<R>(_ record: AccessRecord?, _ body: () throws -> R) rethrows -> R {
        guard let record, let logger = record.logger else { return try body() }
        return try run(logger, .passUnretained(record), body)
    }

    /// Runs the handler of a logger.
    static func inHandler(of logger: StatementLogger, _ body: () -> Void) {
        run(logger, nil, body)
    }

    private static func run<R>(
        _ logger: StatementLogger, _ record: Unmanaged<AccessRecord>?, _ body: () throws -> R
    ) rethrows -> R {
        let outer = innermost
        var frame = Frame(logger: ObjectIdentifier(logger), record: record, outer: outer)
        return try withUnsafeMutablePointer(to: &frame) { pointer in
            pthread_setspecific(key, pointer)
            defer { pthread_setspecific(key, outer) }
            return try body()
        }
    }
}
