#if Macros && Hummingbird
import Foundation
import ServerTestKit
import TestSupport
import Testing

@testable import LiveBoardKit

@Suite(.generousTimeLimit) struct PageTests {
    private static let types = [
        "/": "text/html; charset=utf-8", "/board.css": "text/css; charset=utf-8",
        "/board.js": "text/javascript; charset=utf-8", "/drag.js": "text/javascript; charset=utf-8",
        "/model.js": "text/javascript; charset=utf-8", "/icon.svg": "image/svg+xml",
    ]

    @Test func `the page and what it loads are served with a strict policy`() async throws {
        try await withBoard { board in
            for (path, type) in Self.types {
                let answer = try await board.ask("GET", path)
                #expect(answer.status == 200)
                #expect(answer.headers["content-type"] == type)
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                let policy = try #require(answer.headers["content-security-policy"])
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
                #expect(!policy.contains("unsafe"))
                #expect(!answer.body.isEmpty)
            }
        }
    }

    @Test func `all that the page refers to is served, and nothing from elsewhere`() async throws {
        try await withBoard { board in
            for path in Self.types.keys {
                let answer = try await board.ask("GET", path)
                let text = String(decoding: answer.body, as: UTF8.self)
                for reference in text.matches(of: /(?:src|href|from)(?:=| )"([^"]+)"/).map(\.1) {
                    #expect(Self.types[String(reference)] != nil, "\(reference) in \(path)")
                }
                #expect(text.firstMatch(of: /\son[a-z]+="/) == nil)
                #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains("://"))
            }
        }
    }

    @Test func `what is not there is answered in JSON`() async throws {
        try await withBoard { board in
            for path in ["/figs", "/Page/board.js", "/../Package.swift", "/cards/"] {
                let answer = try await board.ask("GET", path)
                #expect([200, 404].contains(answer.status))
                #expect(answer.headers["content-type"]?.hasPrefix("application/json") == true)
            }
        }
    }
}
#endif
