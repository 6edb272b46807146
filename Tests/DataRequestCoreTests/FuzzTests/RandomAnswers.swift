#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import TestSupport

@testable import DataRequestCore

/// Makes answers that are right, wrong, cut off and absurd, as a seed says.
struct RandomAnswers {
    var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    private static let types = [
        "application/json", "application/problem+json", "text/plain", "text/plain; charset=utf-16",
        "text/html; charset=iso-8859-1", "application/x-www-form-urlencoded", "image/png",
        "application/octet-stream", "nonsense", "text/plain; charset=\"", ";;;", "a/b; c=d; e",
    ]
    private static let encodings = ["gzip", "deflate", "gzip, gzip", "br", "identity", ",", "x"]
    private static let statuses = [
        200, 200, 200, 200, 200, 201, 204, 205, 206, 206, 299, 301, 304, 400, 404, 416, 429, 500,
        503,
        599,
    ]
    private static let texts = [
        #"{"title":"Solace","tracks":[1,2,3]}"#, #"{"title":null}"#, "[]", "[[[[[[", "null", "tr",
        #"{"title":"\ud800"}"#, "1e999999", "-", "title=a&tracks=1&tracks=x", "%%%=%f", "", " ",
        "{\"title\":\"a\",\"tracks\":[99999999999999999999]}",
    ]

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &numbers)]
    }

    private mutating func chance(_ part: Int) -> Bool {
        Int.random(in: 0..<part, using: &numbers) == 0
    }

    private mutating func body() throws -> Data {
        var body: Data
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0: body = numbers.bytes(Int.random(in: 0...3_000, using: &numbers))
        case 1: body = Data(count: Int.random(in: 0...200_000, using: &numbers))
        case 2: body = Data(String(repeating: "[", count: 3_000).utf8)
        default: body = Data(pick(Self.texts).utf8)
        }
        if chance(3) { body = try DecompressionTests.gzip(body) }
        if chance(8) { body = try DecompressionTests.raw(body) }
        if chance(4), !body.isEmpty {
            body[body.startIndex + Int.random(in: 0..<body.count, using: &numbers)] ^= 0x55
        }
        if chance(4) { body = body.prefix(Int.random(in: 0...body.count, using: &numbers)) }
        if chance(8) { body += numbers.bytes(5) }
        return Data(body)
    }

    private mutating func number() -> String {
        pick(["0", "1", "5", "-1", "99", "9223372036854775807", "99999999999999999999", "x", ""])
    }

    /// The next answer.
    mutating func next() throws -> ScriptedAnswer {
        var answer = ScriptedAnswer(status: .init(code: pick(Self.statuses)), body: try body())
        if !chance(5) { answer.headers[.contentType] = pick(Self.types) }
        if chance(2) { answer.headers[.contentEncoding] = pick(Self.encodings) }
        if chance(3) { answer.headers[.eTag] = pick(["\"1\"", "W/\"1\"", "1", "\"", "\"2\""]) }
        if chance(4) {
            answer.headers[.lastModified] = pick(["Mon, 31 Dec 2029 23:00:00 GMT", "x"])
        }
        if chance(4) { answer.headers[.date] = "Tue, 01 Jan 2030 00:00:00 GMT" }
        if chance(4) { answer.headers[.retryAfter] = number() }
        if chance(3) {
            answer.headers[.contentRange] =
                "bytes \(number())-\(number())/\(chance(3) ? "*" : number())"
        }
        if chance(5) { answer.headers[.contentLength] = number() }
        if chance(6) { answer.length = pick([nil, 0, 1, -1, 40_000, .max]) }
        answer = answer.inPieces(of: Int.random(in: 1...70_000, using: &numbers))
        if chance(4) {
            let code = pick([DataRequestError.Code.connectionLost, .timedOut, .malformedResponse])
            answer = answer.failing(
                code, after: Int.random(in: 0...1_000, using: &numbers),
                retry: chance(2) ? .later : .no)
        }
        return chance(30) ? .failure(.connectionFailed) : answer
    }
}
#endif
