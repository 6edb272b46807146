#if Macros && Hummingbird
import Foundation
import ServerTestKit
import Skiathos
import TestSupport
import Testing

@testable import LiveBoardKit

@Suite(.generousTimeLimit) struct CardRoutesTests {
    @Test func `a card is added, changed, moved and deleted`() async throws {
        try await withBoard { board in
            let id = UUID()
            let added = try await board.ask(
                "PUT", "/cards/\(id)", #"{"title":" Φίλε, \"figs\" 🇬🇷 ","stage":"todo"}"#)
            #expect(added.status == 201)
            #expect(try added.card().title == "Φίλε, \"figs\" 🇬🇷")
            #expect(try added.card().id == Card.ID(rawValue: id))
            let renamed = try await board.ask("PATCH", "/cards/\(id)", #"{"title":"Nuts"}"#)
            #expect(renamed.status == 200)
            #expect(try renamed.card().stage == .todo)
            let moved = try await board.ask("PATCH", "/cards/\(id)", #"{"stage":"done"}"#)
            #expect(try moved.card().title == "Nuts")
            #expect(try await board.ask("GET", "/cards").cards() == [try moved.card()])
            #expect(try await board.ask("DELETE", "/cards/\(id)").status == 204)
            #expect(try await board.titles(.done) == [])
        }
    }

    @Test func `what is sent again changes nothing more`() async throws {
        try await withBoard { board in
            let id = UUID()
            for status in [201, 200] {
                let answer = try await board.ask(
                    "PUT", "/cards/\(id)", #"{"title":"Tea","stage":"todo"}"#)
                #expect(answer.status == status)
            }
            #expect(try await board.titles() == ["Tea"])
            for _ in 1...2 {
                #expect(try await board.ask("DELETE", "/cards/\(id)").status == 204)
            }
        }
    }

    @Test func `a card is put before another one, or at the end of its column`() async throws {
        try await withBoard { board in
            let cards = [
                try await board.add("a"), try await board.add("b"), try await board.add("c"),
            ]
            let other = try await board.add("x", "doing")
            func move(_ card: Card, _ stage: String, before: Card.ID?) async throws {
                let next = before.map { #""\#($0)""# } ?? "null"
                let answer = try await board.ask(
                    "PATCH", "/cards/\(card.id)", #"{"stage":"\#(stage)","before":\#(next)}"#)
                #expect(answer.status == 200)
            }
            try await move(cards[2], "todo", before: cards[0].id)
            #expect(try await board.titles() == ["c", "a", "b"])
            try await move(cards[2], "todo", before: cards[1].id)
            #expect(try await board.titles() == ["a", "c", "b"])
            try await move(cards[2], "todo", before: nil)
            #expect(try await board.titles() == ["a", "b", "c"])
            try await move(cards[0], "doing", before: other.id)
            #expect(try await board.titles(.doing) == ["a", "x"])
            // A card of another column, and one that is gone, are no places in this one.
            for next in [cards[1].id, Card.ID(rawValue: UUID())] {
                try await move(cards[0], "doing", before: next)
                #expect(try await board.titles(.doing) == ["x", "a"])
            }
            let between = try await board.ask(
                "PUT", "/cards/\(UUID())",
                #"{"title":"new","stage":"doing","before":"\#(cards[0].id)"}"#)
            #expect(between.status == 201)
            #expect(try await board.titles(.doing) == ["x", "new", "a"])
        }
    }

    @Test func `there is always room between two cards`() async throws {
        try await withBoard { board in
            _ = try await board.add("first")
            var next = try await board.add("last")
            // Each time in what is left between the first and the one before, which halves it.
            for number in 1...60 {
                let answer = try await board.ask(
                    "PUT", "/cards/\(UUID())",
                    #"{"title":"\#(number)","stage":"todo","before":"\#(next.id)"}"#)
                #expect(answer.status == 201)
                next = try answer.card()
            }
            let expected = ["first"] + (1...60).reversed().map { "\($0)" } + ["last"]
            #expect(try await board.titles() == expected)
        }
    }

    @Test(
        arguments: [
            ("PUT", "", #"{"title":"","stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":"  ","stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":"\#(String(repeating: "é", count: 201))","stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":"a\nb","stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":"a\u0000b","stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":"a","stage":"later"}"#, 400),
            ("PUT", "", #"{"title":"a"}"#, 400), ("PUT", "", #"{"stage":"todo"}"#, 400),
            ("PUT", "", #"{"title":1,"stage":"todo"}"#, 400), ("PUT", "", "figs", 400),
            ("PUT", "", "", 400), ("PUT", "", #"{"title":"a","stage":"todo","before":"b"}"#, 400),
            ("PUT", "1", #"{"title":"a","stage":"todo"}"#, 400),
            ("PATCH", "", #"{"title":"a"}"#, 404), ("PATCH", "1", #"{"title":"a"}"#, 400),
            ("PATCH", "", #"{"title":""}"#, 400), ("PATCH", "", #"{"stage":"never"}"#, 400),
            ("DELETE", "1", nil, 400), ("POST", "", #"{"title":"a","stage":"todo"}"#, 404),
            (
                "PUT", "", #"{"title":"\#(String(repeating: "a", count: 20_000))","stage":"todo"}"#,
                413
            ),
        ] as [(String, String, String?, Int)])
    func `bad input is explained and changes nothing`(
        method: String, id: String, body: String?, status: Int
    ) async throws {
        try await withBoard { board in
            let path = "/cards/\(id.isEmpty ? UUID().uuidString : id)"
            let answer = try await board.ask(method, path, body)
            #expect(answer.status == status)
            #expect(try answer.message().hasSuffix("."))
            #expect(try await board.titles() == [])
        }
    }

    @Test func `bytes that are no UTF-8 are refused`() async throws {
        try await withBoard { board in
            let path = "/cards/\(UUID())"
            let answer = try await blocking {
                Result {
                    var body = Data(#"{"stage":"todo","title":"a"#.utf8)
                    body += [0xff, 0xfe] + Data(#""}"#.utf8)
                    return try Connection(port: board.port).send(
                        "PUT", path, body: body, headers: ["Content-Type": "application/json"])
                }
            }.get()
            #expect(answer.status == 400)
            #expect(try await board.titles() == [])
        }
    }

    @Test func `a body that a form of another site could send is refused`() async throws {
        try await withBoard { board in
            for type in ["text/plain", "application/x-www-form-urlencoded"] {
                let answer = try await board.ask(
                    "PUT", "/cards/\(UUID())", #"{"title":"a","stage":"todo"}"#, type: type)
                #expect(answer.status == 415)
            }
        }
    }

    @Test func `a full board refuses a further card`() async throws {
        try await withBoard { board in
            try await board.dal.write { context in
                for number in 1...Card.limit {
                    try Card.create(in: context) { $0.title = "\(number)" }
                }
            }
            let answer = try await board.ask(
                "PUT", "/cards/\(UUID())", #"{"title":"a","stage":"todo"}"#)
            #expect(answer.status == 409)
            #expect(try answer.message() == "The board holds 500 cards. Delete some first.")
        }
    }

    @Test func `a server whose store is closed asks to try again`() async throws {
        try await withBoard { board in
            try await board.dal.close()
            let answer = try await board.ask(
                "PUT", "/cards/\(UUID())", #"{"title":"a","stage":"todo"}"#)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
        }
    }
}
#endif
