#if RequestCore
import HTTPTypes
import Tracing

/// Helpers that logs, metrics and spans share.
enum Telemetry {
    /// The tracer, unless it is the no-op tracer.
    static var tracer: (any Tracer)? {
        let tracer = InstrumentationSystem.tracer
        return tracer is NoOpTracer ? nil : tracer
    }

    /// The method, or `_OTHER` for one that is not of the standards, so that metrics stay few.
    static func method(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect: method.rawValue
        default: "_OTHER"
        }
    }

    /// The code of an error, or the name of its type; never its text.
    static func errorType(_ error: any Error, of operation: RequestOperation) -> String {
        if let error = error as? DataRequestError { return error.code.rawValue }
        guard error is CancellationError, let reason = operation.stopReason else {
            return "\(type(of: error))"
        }
        return switch reason {
        case .callerCancelled, .tokenCancelled, .abandoned: DataRequestError.Code.cancelled.rawValue
        case .timedOut: DataRequestError.Code.timedOut.rawValue
        case .environmentChanged: DataRequestError.Code.environmentChanged.rawValue
        case .shutDown: DataRequestError.Code.shutDown.rawValue
        }
    }

    /// Runs work in a span of its own, which gets the type of an error and not its text.
    static func span<Value: Sendable>(
        _ name: String, kind: SpanKind, _ tracer: any Tracer, _ operation: RequestOperation,
        _ work: (any Span) async throws -> Value
    ) async throws -> Value {
        let span: any Span = tracer.startSpan(name, ofKind: kind)
        defer { span.end() }
        do {
            return try await ServiceContext.$current.withValue(span.context) {
                try await work(span)
            }
        } catch {
            span.attributes["error.type"] = errorType(error, of: operation)
            span.setStatus(SpanStatus(code: .error))
            throw error
        }
    }
}
#endif
