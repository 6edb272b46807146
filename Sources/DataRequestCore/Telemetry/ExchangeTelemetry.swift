#if RequestCore
import HTTPTypes
import Logging
import Metrics
import SkiathosPlatformFoundation
import Tracing

/// Reports each exchange with a server to logs, metrics and traces, by the conventions of
/// OpenTelemetry for HTTP clients, and without anything that may be a secret.
struct ExchangeTelemetryStep: PipelineStep {
    let clock: ServiceClock
    let logger: Logger
    let metrics: ExchangeMetrics?

    func handle(
        _ request: OutgoingRequest, of operation: RequestOperation, next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        let resends = operation.advance {
            $0.exchanges += 1
            return $0.exchanges - 1
        }
        let tracer = Telemetry.tracer
        guard tracer != nil || metrics != nil || logger.logLevel <= .debug else {
            return try await next(request)
        }
        let exchange = Exchange(request, resends: resends)
        let began = clock.now
        let active = metrics?.active(exchange)
        active?.increment()
        defer { active?.decrement() }
        do {
            let response = try await send(request, exchange, tracer, next)
            report(exchange, .status(response.status), since: began)
            return response
        } catch {
            report(exchange, .failure(Telemetry.errorType(error, of: operation)), since: began)
            throw error
        }
    }

    private func send(
        _ request: OutgoingRequest, _ exchange: Exchange, _ tracer: (any Tracer)?,
        _ next: Pipeline.Rest
    ) async throws -> IncomingResponse {
        guard let tracer else { return try await next(request) }
        let operation = next.operation
        return try await Telemetry.span(
            exchange.spanName, kind: .client, tracer, operation
        ) { span in
            exchange.describe(span, request)
            var request = request
            // An external host gets no trace context: it must not learn which requests belong
            // together.
            if !request.options.isExternal {
                InstrumentationSystem.instrument.inject(
                    span.context, into: &request.headers, using: HeaderInjector())
            }
            let response = try await next(request)
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 400 {
                span.attributes["error.type"] = "\(response.status.code)"
                span.setStatus(SpanStatus(code: .error))
            }
            return response
        }
    }

    private func report(_ exchange: Exchange, _ end: ExchangeEnd, since began: Duration) {
        let duration = clock.now - began
        metrics?.record(duration, exchange, end)
        guard logger.logLevel <= .debug else { return }
        logger.debug("An exchange with a server has ended.", metadata: exchange.metadata(end))
    }
}

/// How an exchange ended.
enum ExchangeEnd: Hashable, Sendable {
    case status(HTTPResponse.Status)
    case failure(String)

    var status: Int? {
        guard case .status(let status) = self else { return nil }
        return status.code
    }

    var errorType: String? {
        switch self {
        case .status(let status): status.code >= 400 ? "\(status.code)" : nil
        case .failure(let type): type
        }
    }
}

/// The parts of an exchange that may be reported.
struct Exchange: Sendable {
    let method: String
    let host: String
    let port: Int
    let name: String?
    let resends: Int

    init(_ request: OutgoingRequest, resends: Int) {
        method = Telemetry.method(request.method)
        let origin = Origin(request.url)
        host = origin?.host ?? ""
        port = origin?.port ?? 0
        name = request.options.name
        self.resends = resends
    }

    var spanName: String { name.map { "\(method) \($0)" } ?? method }

    func describe(_ span: any Span, _ request: OutgoingRequest) {
        span.attributes["http.request.method"] = method
        span.attributes["server.address"] = host
        span.attributes["server.port"] = port
        span.attributes["url.full"] = request.url.withoutSecrets
        if let name { span.attributes["url.template"] = name }
        if resends > 0 { span.attributes["http.request.resend_count"] = resends }
    }

    func metadata(_ end: ExchangeEnd) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "http.request.method": "\(method)", "server.address": "\(host)",
            "server.port": "\(port)",
        ]
        if let name { metadata["url.template"] = "\(name)" }
        if resends > 0 { metadata["http.request.resend_count"] = "\(resends)" }
        if let status = end.status { metadata["http.response.status_code"] = "\(status)" }
        if let type = end.errorType { metadata["error.type"] = "\(type)" }
        return metadata
    }
}

/// Writes the context of a trace into headers.
private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        headers[name] = value
    }
}
#endif
