import ServiceLocator
import Testing

/// The description of the graph.
@Suite struct GraphTests {
    let app = ServiceLocator(named: "app")

    init() throws {
        try app.register((any Clock).self, .instance(SystemClock()), file: "A.swift", line: 1)
        try app.register((any Mailer).self, named: "\"bulk\"", file: "A.swift", line: 2) {
            SMTPMailer(clock: try $0.resolve())
        }
        try app.register(
            Greeter.self,
            .lazy(.scoped) { Greeter(mailer: try $0.resolve(named: "\"bulk\"")) },
            file: "A.swift", line: 3)
    }

    @Test func `the text shows scopes, registrations and what they needed`() async throws {
        let child = try app.child(named: "request")
        try child.register(
            SMTPMailer.self, .weak(SMTPMailer()) { $0 }, file: "B.swift", line: 1)
        try child.register(
            Cloak.self, .lazy(.transient) { _ in Cloak() }, file: "B.swift", line: 2)
        try await app.verify()
        #expect(
            child.graph().description == """
                scope 'app'
                  Clock: instance singleton, ready (A.swift:1)
                  Mailer '"bulk"': lazy singleton, ready (A.swift:2) -> Clock
                  Greeter: lazy scoped, ready (A.swift:3) -> Mailer '"bulk"'
                scope 'request' below 'app'
                  SMTPMailer: weak singleton, gone (B.swift:1)
                  Cloak: lazy transient, made anew (B.swift:2)
                """)
    }

    @Test func `the Mermaid chart has a box for each scope`() async throws {
        _ = try await app.resolve((any Mailer).self, named: "\"bulk\"")
        #expect(
            app.graph().mermaid == """
                flowchart LR
                    subgraph scope0["app"]
                        s0["Clock<br/>instance singleton, ready"]
                        s1["Mailer ''bulk''<br/>lazy singleton, ready"]
                        s2["Greeter<br/>lazy scoped, not made"]
                    end
                    s1 --> s0
                """)
    }

    @Test func `the graph for Graphviz has the same boxes and arrows`() async throws {
        _ = try await app.resolve((any Mailer).self, named: "\"bulk\"")
        let text = app.graph().dot
        #expect(text.hasPrefix("digraph services {"))
        #expect(text.contains("        s0 [label=\"Clock\\ninstance singleton, ready\"]"))
        #expect(text.contains("    s1 -> s0\n}"))
    }
}
