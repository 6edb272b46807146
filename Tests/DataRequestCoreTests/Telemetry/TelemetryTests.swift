#if RequestCore
import DataRequestCore
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import SkiathosLocks
import Logging
import MetricsTestKit
import SkiathosPlatformFoundation
import Synchronization
import Testing
import Tracing

struct TelemetryTests {
    private let handler = InMemoryLogHandler()
    private let metrics = TestMetrics()

    private func service(_ transport: ScriptedTransport) throws -> DataRequestService {
        try DataRequestService.forTests(transport, headers: [.cookie: "session=s3cret-1"]) {
            var logger = Logger(label: "tests") { _ in handler }
            logger.logLevel = .trace
            $0.logger = logger
            $0.metricsFactory = metrics
            $0.random = { 0 }
        }
    }

    @Test func `exchanges are reported by the conventions, with repetitions`() async throws {
        let tracer = InMemoryTracer()
        let transport = ScriptedTransport { request, number in
            .answer(request, number == 0 ? .serviceUnavailable : .ok)
        }
        let service = try service(transport)
        try await withTracer(tracer) {
            _ = try await service.perform(DataRequest(.get, "tracks/7").named("tracks.get")) {
                try await $0.text()
            }
        }
        let spans = tracer.finishedSpans
        #expect(
            spans.map(\.operationName) == [
                "GET tracks.get", "GET tracks.get", "request tracks.get",
            ])
        let second = try #require(spans.dropFirst().first)
        #expect(second.attributes.get("http.request.method") == "GET".toSpanAttribute())
        #expect(second.attributes.get("server.address") == "api.example.com".toSpanAttribute())
        #expect(second.attributes.get("url.template") == "tracks.get".toSpanAttribute())
        #expect(
            second.attributes.get("url.full")
                == "https://api.example.com/v1/tracks/7".toSpanAttribute())
        #expect(second.attributes.get("http.request.resend_count") == 1.toSpanAttribute())
        #expect(second.attributes.get("http.response.status_code") == 200.toSpanAttribute())
        #expect(second.kind == .client)
        #expect(second.parentSpanID == spans.last?.spanID)
        let timer = try metrics.expectTimer(
            "http.client.request.duration",
            [
                ("http.request.method", "GET"), ("server.address", "api.example.com"),
                ("server.port", "443"), ("url.template", "tracks.get"),
                ("http.response.status_code", "503"), ("error.type", "503"),
            ])
        #expect(timer.values.count == 1)
        let active = try metrics.expectMeter(
            "http.client.active_requests",
            [
                ("http.request.method", "GET"), ("server.address", "api.example.com"),
                ("server.port", "443"),
            ])
        #expect(active.values.last == 0)
        #expect(handler.entries.map(\.level) == [.debug, .debug])
        #expect(handler.entries.last?.metadata["http.request.resend_count"] == "1")
    }

    @Test func `the context of a trace goes to the base host alone`() async throws {
        let tracer = InMemoryTracer()
        let transport = ScriptedTransport { request, number in
            guard number == 0 else { return .answer(request) }
            return .answer(request, .found, headers: [.location: "https://other.example/"])
        }
        let service = try service(transport)
        _ = try await withTracer(tracer) {
            try await service.perform(DataRequest(.get, "a")) { $0.status }
        }
        #expect(transport.requests.count == 2)
        #expect(tracer.performedContextInjections.count == 1)
        #expect(transport.requests.last?.headers.map(\.name) == [.acceptEncoding])
    }

    @Test func `logs, metrics, spans and errors contain no secret`() async throws {
        struct Talkative: Error, CustomStringConvertible {
            var description: String { "s3cret-9" }
        }
        let tracer = InMemoryTracer()
        let transport = ScriptedTransport { request, number in
            switch number % 5 {
            case 0:
                return .answer(
                    request, .unauthorized,
                    headers: [.setCookie: "s3cret-2", .wwwAuthenticate: "s3cret-3"], "s3cret-4")
            case 1: return .answer(request, .found, headers: [.location: "b?k=s3cret-5"])
            case 2: throw Talkative()
            case 3: throw DataRequestError(.connectionLost, "lost", cause: Talkative())
            default: return .answer(request, .notFound, "s3cret-4")
            }
        }
        let service = try service(transport)
        let tokens = Lock(0)
        service.authorisation = BearerAuthoriser(token: "s3cret-6") { _ in
            let number = tokens.withLock {
                $0 += 1
                return $0
            }
            if number == 2 { throw Talkative() }
            return "s3cret-7"
        }
        let request = DataRequest(.post, "a").query("key", "s3cret-8")
            .header(.authorization, "s3cret-10").body(.data(Data("s3cret-11".utf8)))
            .idempotencyKey("s3cret-12")
        var texts: [String] = []
        await withTracer(tracer) {
            for number in 0..<20 {
                var request = request
                if number.isMultiple(of: 2) { request.headers[.authorization] = nil }
                do { _ = try await service.response(for: request) } catch {
                    guard let error = error as? DataRequestError else { continue }
                    var dumped = ""
                    dump(error, to: &dumped)
                    texts += ["\(error)", String(reflecting: error), error.message, dumped]
                }
            }
        }
        for entry in handler.entries { texts.append("\(entry)") }
        for span in tracer.finishedSpans {
            texts.append("\(span.operationName) \(span.errors) \(span.events)")
            // Attributes can be visited in no other way.
            // swift-format-ignore: ReplaceForEachWithForLoop
            span.attributes.forEach { texts.append("\($0) \($1)") }
        }
        for timer in metrics.timers { texts.append("\(timer.label) \(timer.dimensions)") }
        for meter in metrics.meters { texts.append("\(meter.label) \(meter.dimensions)") }
        #expect(texts.count > 50)
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    }
}
#endif
