#if Tracing
public import SkiathosCore
internal import SkiathosStore
public import Tracing

/// Makes a span of swift-distributed-tracing for each read and write of a store.
///
/// ```swift
/// configuration.tracer = DistributedTracer()
/// // write main   db.system.name=sqlite db.operation.name=write skiathos.place=App/Sign.swift:12
/// ```
///
/// A span is a child of the one that is current where `read`, `write` or `enqueue` is called. It
/// begins before the call waits, has the event `admitted` once the access has its connection or the
/// write permit, and ends when the read has ended or the write is acknowledged. A failure sets its
/// status, and the code or the type of the error; values of rows, messages and statements are never
/// in it.
public struct DistributedTracer: AccessTracer {
    /// Makes the spans, if it is not the tracer of the task or the program.
    private let tracer: (any Tracer)?

    /// Makes a tracer.
    ///
    /// - Parameter tracer: What makes the spans; without one, the tracer that is bootstrapped, or
    ///   that of the task, at each call.
    public init(_ tracer: (any Tracer)? = nil) { self.tracer = tracer }

    /// Begins the span of an access.
    public func begin(_ access: TracedAccess) -> any AccessSpan {
        let tracer = tracer ?? InstrumentationSystem.tracer
        let span: any Span = tracer.startSpan(
            "\(access.kind.rawValue) \(access.store)", ofKind: .client)
        span.attributes["db.system.name"] = "sqlite"
        span.attributes["db.namespace"] = access.store
        span.attributes["db.operation.name"] = access.kind.rawValue
        span.attributes["skiathos.place"] = access.place
        if let level = access.acknowledgement {
            span.attributes["skiathos.acknowledgement"] = "\(level)"
        }
        return DistributedSpan(span: span)
    }
}

/// The span of one access.
private struct DistributedSpan: AccessSpan {
    let span: any Span

    func admitted() { span.addEvent("admitted") }

    func end(_ error: (any Error)?) {
        if let error {
            span.attributes["error.type"] = Self.type(of: error)
            span.setStatus(SpanStatus(code: .error))
        }
        span.end()
    }

    /// The code of an error, or the name of its type; never its message.
    private static func type(of error: any Error) -> String {
        switch error {
        case let error as StoreError: "\(error.code)"
        case let error as DataAccessError: "\(error.code)"
        default: "\(Swift.type(of: error))"
        }
    }
}
#endif
