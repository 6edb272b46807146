#if Macros && Requests
import Foundation
import ServerTestKit
import TestSupport
import Testing

@testable import NotesServerKit

@Suite(.generousTimeLimit) struct RoutesTests {
    @Test(arguments: ["", "?acknowledge=committed", "?acknowledge=durable"])
    func `a note is made, found, listed and deleted`(query: String) async throws {
        try await withService { service in
            let made = try await service.post("Φίλε, \"buy\" figs 🇬🇷\n", query)
            let note = try made.note()
            #expect(made.status == 201)
            #expect(made.headers["location"] == "/notes/\(note.id)")
            #expect(note.text == "Φίλε, \"buy\" figs 🇬🇷\n")
            let found = try await service.ask("GET", "/notes/\(note.id)")
            #expect(found.status == 200)
            #expect(try found.note() == note)
            #expect(try await service.ask("GET", "/notes").notes() == [note])
            let deleted = try await service.ask("DELETE", "/notes/\(note.id)")
            #expect(deleted.status == 204)
            #expect(deleted.body.isEmpty)
            for method in ["GET", "DELETE"] {
                let gone = try await service.ask(method, "/notes/\(note.id)")
                #expect(gone.status == 404)
                #expect(try gone.message() == "There is no such note.")
            }
            #expect(try await service.ask("GET", "/notes").notes() == [])
        }
    }

    @Test func `the newest notes are listed first, as many as requested`() async throws {
        try await withService { service in
            for number in 1...25 { _ = try await service.post("\(number)") }
            let texts = { (query: String) in
                try await service.ask("GET", "/notes\(query)").notes().map(\.text)
            }
            #expect(try await texts("") == (6...25).reversed().map { "\($0)" })
            #expect(try await texts("?limit=2") == ["25", "24"])
            #expect(try await texts("?limit=1000").count == 25)
        }
    }

    @Test func `a store that works is healthy`() async throws {
        try await withService { service in
            let health = try await service.ask("GET", "/health")
            #expect(health.status == 200)
            #expect(String(decoding: health.body, as: UTF8.self) == #"{"status":"ok"}"#)
        }
    }

    @Test(arguments: [
        ("POST", "/notes", ""), ("POST", "/notes", "figs"), ("POST", "/notes", "{}"),
        ("POST", "/notes", #"{"text":1}"#), ("POST", "/notes", #"{"text":null}"#),
        ("POST", "/notes", #"{"text":""}"#), ("POST", "/notes", #"{"text":"a\u0000b"}"#),
        ("POST", "/notes", #"{"text":"\#(String(repeating: "a", count: 10_001))"}"#),
        ("POST", "/notes?acknowledge=never", #"{"text":"a"}"#), ("GET", "/notes/figs", nil),
        ("GET", "/notes/0", nil), ("GET", "/notes/99999999999999999999", nil),
        ("DELETE", "/notes/-1", nil), ("GET", "/notes?limit=0", nil),
        ("GET", "/notes?limit=1001", nil), ("GET", "/notes?limit=many", nil),
    ])
    func `bad input is explained and changes nothing`(
        method: String, path: String, body: String?
    ) async throws {
        try await withService { service in
            let answer = try await service.ask(method, path, body)
            #expect(answer.status == 400)
            #expect(try !answer.message().isEmpty)
            #expect(try await service.ask("GET", "/notes").notes() == [])
        }
    }

    @Test func `errors of the server itself are JSON too`() async throws {
        try await withService { service in
            let unknown = try await service.ask("GET", "/figs")
            #expect(unknown.status == 404)
            #expect(try !unknown.message().isEmpty)
            let large = try await service.post(String(repeating: "a", count: 100_000))
            #expect(large.status == 413)
            #expect(try !large.message().isEmpty)
        }
    }
}
#endif
