import Skiathos
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct AccessTracerTests {
    /// Notes what happens to spans.
    private struct NotingTracer: AccessTracer {
        let begun = Log<TracedAccess>()
        let events = Log<String>()

        func begin(_ access: TracedAccess) -> any AccessSpan {
            begun.note(access)
            return NotingSpan(kind: access.kind.rawValue, events: events)
        }
    }

    private struct NotingSpan: AccessSpan {
        let kind: String
        let events: Log<String>

        func admitted() { events.note("\(kind) admitted") }
        func end(_ error: (any Error)?) {
            events.note("\(kind) ended" + (error.map { ": \(type(of: $0))" } ?? ""))
        }
    }

    private let tracer = NotingTracer()

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.tracer = tracer
        configuration.label = "people"
        return configuration
    }

    @Test(arguments: Place.allCases)
    func `each read and write has one span, which begins before it waits`(
        _ place: Place
    ) async throws {
        let tracer = tracer
        try await withStore(place, configuration: configuration) { dal in
            let line = #line + 1
            try await dal.write(acknowledging: .merged) { try User.create(in: $0) }
            #expect(
                tracer.begun.entries == [
                    TracedAccess(
                        kind: .write, store: "people", place: "\(#fileID):\(line)",
                        acknowledgement: .merged)
                ])
            #expect(tracer.events.entries == ["write admitted", "write ended"])
            try await dal.whileAWriteIsUnderWay {
                dal.enqueue { _ = try User.count(in: $0) }
                #expect(tracer.begun.entries.map(\.kind) == [.write, .write, .write])
                // The one that is under way was admitted, and the other one waits.
                #expect(
                    tracer.events.entries == ["write admitted", "write ended", "write admitted"])
            }
            let _: Int = try await dal.read { try User.count(in: $0) }
            #expect(tracer.begun.entries.last?.kind == .read)
            #expect(tracer.begun.entries.last?.acknowledgement == nil)
            #expect(
                await happens {
                    tracer.events.entries.filter { $0.hasSuffix("ended") }.count == 4
                })
        }
    }

    @Test func `a failure ends the span, and a refused call is never admitted`() async throws {
        struct Refusal: Error {}
        let store = try TemporaryStore()
        let dal = try await store.open(configuration)
        await #expect(throws: Refusal.self) { try await dal.write { _ in throw Refusal() } }
        #expect(tracer.events.entries == ["write admitted", "write ended: Refusal"])
        try await dal.close()
        await #expect(throws: DataAccessError.self) { try await dal.read { _ in } }
        await #expect(throws: DataAccessError.self) { try await dal.write { _ in } }
        #expect(
            tracer.events.entries.dropFirst(2) == [
                "read ended: DataAccessError", "write ended: DataAccessError",
            ])
    }
}
