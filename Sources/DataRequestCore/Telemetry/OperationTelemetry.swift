#if RequestCore
import Tracing

extension DataRequestService {
    /// Runs the work of an operation in a span, if there is a tracer; exchanges have child
    /// spans.
    func traced<Value: Sendable>(
        _ operation: RequestOperation, _ work: () async throws -> Value
    ) async throws -> Value {
        guard let tracer = Telemetry.tracer else { return try await work() }
        let method = Telemetry.method(operation.request.method)
        let name = operation.options.name.map { "request \($0)" } ?? "request \(method)"
        return try await Telemetry.span(name, kind: .internal, tracer, operation) { _ in
            try await work()
        }
    }
}
#endif
