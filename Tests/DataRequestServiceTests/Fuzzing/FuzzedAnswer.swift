#if Requests
import Foundation
import TestSupport

/// An answer that was valid before something was done to it.
struct FuzzedAnswer: Sendable {
    /// What the server does after the bytes.
    enum End { case close, reset, stay }

    let bytes: Data
    let end: End

    private static let json = #"{"id":7,"name":"abc"}"#

    /// 21 bytes of JSON, compressed.
    private static let gzip = Data([
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0xca, 0x4c, 0x51,
        0xb2, 0x32, 0xd7, 0x51, 0xca, 0x4b, 0xcc, 0x4d, 0x55, 0xb2, 0x52, 0x4a, 0x4c, 0x4a, 0x56,
        0xaa, 0x05, 0x00, 0xfb, 0x37, 0x80, 0x4b, 0x15, 0x00, 0x00, 0x00,
    ])

    private static let templates: [Data] = [
        text(
            "200 OK", "Content-Type: application/json\r\nContent-Length: \(json.utf8.count)", json),
        text(
            "200 OK", "Content-Type: application/json\r\nTransfer-Encoding: chunked",
            "a\r\n\(json.prefix(10))\r\nb\r\n\(json.dropFirst(10))\r\n0\r\nX-Trailer: 1\r\n\r\n"),
        text("200 OK", "Content-Type: text/plain; charset=utf-8\r\nConnection: close", "all of it"),
        text(
            "206 Partial Content",
            "Content-Range: bytes 0-3/4\r\nContent-Length: 4\r\nETag: \"a\"", "abcd"),
        text("301 Moved Permanently", "Location: /elsewhere\r\nContent-Length: 0"),
        text("401 Unauthorized", "WWW-Authenticate: Bearer realm=\"a\"\r\nContent-Length: 2", "no"),
        text(
            "404 Not Found", "Content-Type: application/problem+json\r\nContent-Length: 15",
            #"{"title":"none"}"#),
        text("503 Busy", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0"),
        text("204 No Content", "Set-Cookie: a=b; Path=/; Expires=Wed, 21 Oct 2037 07:28:00 GMT"),
        text("200 OK", "Content-Encoding: gzip\r\nContent-Length: \(gzip.count)") + gzip,
        Data("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            + text("200 OK", "Content-Length: 2\r\nContent-Type: application/json", "[]"),
    ]

    private static let tokens = [
        "\r\n", "\n", "\r", "\0", "\u{7F}", ":", " ", "\r\n\r\n", "HTTP/1.1 200 OK\r\n",
        "HTTP/1.1 099 Odd\r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n",
        "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n", "ffffffffffffffff\r\n",
        "0\r\n\r\n", "\u{1F600}", "Content-Type: image/png\r\n", "Location: http://[::1\r\n",
        "Location: //\r\n", "Retry-After: -5\r\n", "Content-Range: bytes 9-1/0\r\n", "999", "000",
        "1e9", "%00", "\"",
    ]

    private static func text(_ status: String, _ headers: String, _ body: String = "") -> Data {
        Data("HTTP/1.1 \(status)\r\n\(headers)\r\n\r\n\(body)".utf8)
    }

    init(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        var bytes = Array(Self.templates.randomElement(using: &numbers) ?? Data())
        for _ in 0..<Int.random(in: 0...4, using: &numbers) { Self.mutate(&bytes, &numbers) }
        self.bytes = Data(bytes)
        // Those that stay cost the client its limit of time.
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0: end = .stay
        case 1..<6: end = .reset
        default: end = .close
        }
    }

    private static func mutate(_ bytes: inout [UInt8], _ numbers: inout SeededNumbers) {
        let place = Int.random(in: 0...bytes.count, using: &numbers)
        let end = min(bytes.count, place + Int.random(in: 0...12, using: &numbers))
        switch Int.random(in: 0..<6, using: &numbers) {
        case 0:
            if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 3: bytes.removeSubrange(place...)
        case 4:
            let noise = (place..<end).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            bytes.insert(contentsOf: noise, at: place)
        default:
            bytes.insert(contentsOf: (tokens.randomElement(using: &numbers) ?? "").utf8, at: place)
        }
    }
}
#endif
