#if Tracing
import Foundation
import InMemoryTracing
import SkiathosLocks
import Skiathos
import SkiathosTesting
import SkiathosTracing
import TestSupport
import Testing
import Tracing

@Suite(.generousTimeLimit) struct DistributedTracerTests {
    private let tracer = InMemoryTracer()

    /// Opens a store whose spans go to the tracer.
    private func withTracedStore(
        _ body: @Sendable (DataAccessLayer) async throws -> Void
    ) async throws {
        var configuration = Configuration()
        configuration.tracer = DistributedTracer(tracer)
        configuration.label = "notes"
        try await withStore(
            .inMemory, entities: Note.self, configuration: configuration, body)
    }

    private var spans: [FinishedInMemorySpan] { tracer.finishedSpans }

    @Test func `a read and a write have a span each, with the conventions' attributes`()
        async throws
    {
        try await withTracedStore { dal in
            let line = #line + 1
            try await dal.write(acknowledging: .durable) { try Note.create(in: $0) }
            let count: Int = try await dal.read { try Note.count(in: $0) }
            #expect(count == 1)
            #expect(spans.map(\.operationName) == ["write notes", "read notes"])
            let write = try #require(spans.first)
            #expect(write.kind == .client)
            #expect(write.attributes.get("db.system.name") == "sqlite".toSpanAttribute())
            #expect(write.attributes.get("db.namespace") == "notes".toSpanAttribute())
            #expect(write.attributes.get("db.operation.name") == "write".toSpanAttribute())
            #expect(write.attributes.get("skiathos.acknowledgement") == "durable".toSpanAttribute())
            #expect(
                write.attributes.get("skiathos.place") == "\(#fileID):\(line)".toSpanAttribute())
            #expect(write.events.map(\.name) == ["admitted"])
            #expect(write.status == nil)
            let read = try #require(spans.last)
            #expect(read.attributes.get("db.operation.name") == "read".toSpanAttribute())
            #expect(read.attributes.get("skiathos.acknowledgement") == nil)
            #expect(read.events.map(\.name) == ["admitted"])
        }
    }

    @Test func `blocking calls have spans too`() async throws {
        try await withTracedStore { dal in
            try await onThread {
                try dal.write { _ = try Note.create(in: $0) }
                try dal.read { _ = try Note.count(in: $0) }
            }
            #expect(spans.map(\.operationName) == ["write notes", "read notes"])
        }
    }

    @Test func `the span of a failing write has the code of its error and no message`()
        async throws
    {
        try await withTracedStore { dal in
            try await dal.write { try Note.create(in: $0) { $0.text = "secret" } }
            await #expect(throws: StoreError.self) {
                try await dal.write { try Note.create(in: $0) { $0.text = "secret" } }
            }
            struct Refusal: Error {}
            await #expect(throws: Refusal.self) { try await dal.read { _ in throw Refusal() } }
            let failed = spans.dropFirst()
            #expect(failed.map(\.status?.code) == [.error, .error])
            #expect(
                failed.map { $0.attributes.get("error.type") } == [
                    "uniqueViolation".toSpanAttribute(), "Refusal".toSpanAttribute(),
                ])
            for span in spans {
                #expect(span.errors.isEmpty)
                #expect(!"\(span.attributes)".contains("secret"))
            }
        }
    }

    @Test func `the span of a cancelled write has the cancellation as its error`() async throws {
        try await withTracedStore { dal in
            await #expect(throws: CancellationError.self) {
                try await Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await dal.write { _ = try Note.create(in: $0) }
                }.value
            }
            #expect(
                spans.map { $0.attributes.get("error.type") } == [
                    "CancellationError".toSpanAttribute()
                ])
            #expect(spans.map(\.status?.code) == [.error])
        }
    }

    @Test func `spans are children of the caller's span, also that of an enqueued write`()
        async throws
    {
        try await withTracedStore { dal in
            try await withTracer(tracer) {
                try await withSpan("request") { _ in
                    try await dal.write { _ = try Note.create(in: $0) { $0.text = "1" } }
                    try await dal.read { _ = try Note.count(in: $0) }
                    dal.enqueue { _ = try Note.create(in: $0) { $0.text = "2" } }
                }
            }
            let tracer = tracer
            #expect(await happens { tracer.finishedSpans.count == 4 })
            let parent = try #require(spans.first { $0.operationName == "request" })
            let children = spans.filter { $0.parentSpanID == parent.spanID }
            #expect(children.count == 3)
            #expect(children.allSatisfy { $0.traceID == parent.traceID })
            #expect(children.count { $0.operationName == "write notes" } == 2)
        }
    }

    @Test func `without a tracer of its own the task's tracer makes the spans`() async throws {
        var configuration = Configuration()
        configuration.tracer = DistributedTracer()
        try await withStore(.inMemory, entities: Note.self, configuration: configuration) { dal in
            try await dal.read { _ = try Note.count(in: $0) }
            #expect(spans.isEmpty)
            try await withTracer(tracer) {
                try await dal.read { _ = try Note.count(in: $0) }
            }
            #expect(spans.map(\.operationName) == ["read main"])
        }
    }
}
#endif
