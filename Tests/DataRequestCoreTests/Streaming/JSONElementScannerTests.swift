#if RequestCore
import Foundation
import TestSupport
import Testing

@testable import DataRequestCore

struct JSONElementScannerTests {
    private func scan(
        _ pieces: [Data], _ place: ElementPlace, _ limits: ElementLimits = ElementLimits()
    ) throws -> (elements: [JSONElement], envelope: String) {
        var scanner = JSONElementScanner(place, limits: limits)
        var elements: [JSONElement] = []
        for piece in pieces { try scanner.scan(piece, into: &elements) }
        try scanner.finish(into: &elements)
        return (elements, String(decoding: scanner.envelope, as: UTF8.self))
    }

    private func texts(
        _ document: String, _ place: ElementPlace = .array,
        _ limits: ElementLimits = ElementLimits()
    ) throws -> [String] {
        try scan([Data(document.utf8)], place, limits).elements.map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    private func bytes(_ data: Data) -> [Data] { data.map { Data([$0]) } }

    @Test func `the scanner cuts out elements of every kind byte for byte`() throws {
        let document = #" [ {"a":[1,{"b":"]}\""}]} , "x\\" ,12.5e-3,[ ],{},true , null,-0 ] "#
        #expect(
            try texts(document) == [
                #"{"a":[1,{"b":"]}\""}]}"#, #""x\\""#, "12.5e-3", "[ ]", "{}", "true", "null", "-0",
            ])
    }

    @Test func `an array below keys is found, and the rest is the envelope`() throws {
        let document =
            #"{"items":[9],"data":{"x":{"items":[8]},"items":[1, {"items":[2]}, "3"],"n":null},"next":"p2"}"#
        let place = ElementPlace.key("data.items")
        let (elements, envelope) = try scan([Data(document.utf8)], place)
        #expect(elements.map(\.bytes.count) == [1, 13, 3])
        #expect(elements.map(\.offset) == [48, 51, 66])
        #expect(
            envelope == #"{"items":[9],"data":{"x":{"items":[8]},"items":[],"n":null},"next":"p2"}"#
        )
        let single = try scan(bytes(Data(document.utf8)), place)
        #expect(single.elements == elements)
        #expect(single.envelope == envelope)
    }

    @Test func `keys may have dots and escapes`() throws {
        let document = #"{"a.b":{"\u00e9":[1,2]}}"#
        #expect(try texts(document, .keys(["a.b", "é"])) == ["1", "2"])
        #expect(throws: DataRequestError.self) { try texts(document, .key("a.b.é")) }
    }

    @Test func `each line is an element, unless it is empty`() throws {
        #expect(try texts("1\n\r\n {\"a\":2} \r\n\n\"x\"", .lines) == ["1", #"{"a":2}"#, #""x""#])
        #expect(try texts("", .lines) == [])
        #expect(throws: DataRequestError.self) { try texts("1 2\n", .lines) }
        #expect(throws: DataRequestError.self) { try texts("[1,\n2]", .lines) }
        #expect(throws: DataRequestError.self) { try texts("[1", .lines) }
    }

    @Test func `a byte order mark is skipped, wherever it is split`() throws {
        let data = Data([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))
        #expect(try scan([data], .array).elements.count == 1)
        #expect(try scan(bytes(data), .array).elements.count == 1)
        #expect(throws: DataRequestError.self) {
            try scan([Data([0xEF, 0xBB]) + Data("[1]".utf8)], .array)
        }
    }

    @Test func `random documents, split anywhere, give the elements of the whole document`() throws
    {
        var random = RandomJSON(seed: 7)
        for _ in 0..<150 {
            let document = Data(random.array(4).utf8)
            let whole = try #require(
                try JSONSerialization.jsonObject(with: document) as? NSArray)
            let elements = try scan([document], .array).elements
            let parts = try elements.map {
                try JSONSerialization.jsonObject(with: $0.bytes, options: .fragmentsAllowed)
            }
            #expect(NSArray(array: parts) == whole)
            #expect(try scan(bytes(document), .array).elements == elements)
            for cut in 0...document.count {
                let pieces = [document.prefix(cut), document.dropFirst(cut)]
                #expect(try scan(pieces, .array).elements == elements)
            }
            for cut in 0..<document.count {
                #expect(throws: DataRequestError.self) {
                    try scan([document.prefix(cut)], .array)
                }
            }
        }
    }

    @Test func `the scanner refuses invalid JSON where Foundation refuses it`() throws {
        var random = RandomJSON(seed: 11)
        let alphabet = Array("[]{},:\"\\ 0129-+.eEtfnu/x\n".utf8)
        var refused = 0
        for _ in 0..<4_000 {
            var document = Array(random.array(3).utf8.filter { $0 < 0x80 })
            for _ in 0...random.below(2) {
                let place = random.below(document.count)
                switch random.below(3) {
                case 0: document.remove(at: place)
                case 1: document.insert(alphabet[random.below(alphabet.count)], at: place)
                default: document[place] = alphabet[random.below(alphabet.count)]
                }
                if document.isEmpty { document = [0x20] }
            }
            let isArray = try? JSONSerialization.jsonObject(with: Data(document)) is NSArray
            let elements = try? scan([Data(document)], .array).elements
            // Each element is decoded for itself, where a surrogate without its partner is found.
            let isUsable =
                elements?.allSatisfy {
                    (try? JSONSerialization.jsonObject(
                        with: $0.bytes, options: .fragmentsAllowed)) != nil
                } ?? false
            let text = String(decoding: document, as: UTF8.self)
            // Foundation takes a comma behind the last element, which JSON does not have.
            let isLax = isArray == true && text.contains(/,\s*[\]}]/)
            #expect(isUsable == (isArray ?? false) || (isLax && !isUsable), "\(text)")
            if !isUsable { refused += 1 }
        }
        #expect(refused > 1_000)
    }

    @Test func `random bytes never trap`() throws {
        var random = RandomJSON(seed: 13)
        for _ in 0..<2_000 {
            let noise = Data((0..<random.below(40)).map { _ in UInt8(random.below(256)) })
            for place in [ElementPlace.array, .key("k0"), .lines] {
                _ = try? scan([Data("[{\"k0\":[".utf8) + noise], place)
                _ = try? scan(bytes(noise), place)
            }
        }
    }

    @Test func `limits hold for elements, nesting and the envelope`() throws {
        var limits = ElementLimits()
        (limits.elementSize, limits.depth, limits.envelopeSize) = (8, 3, 20)
        #expect(try texts(#"["123456"]"#, .array, limits) == [#""123456""#])
        #expect(try texts("[[[1]]]", .array, limits) == ["[[1]]"])
        for (document, place) in [
            (#"["1234567"]"#, ElementPlace.array), ("[[[[1]]]]", .array),
            (#"{"x":"0123456789012345","a":[1]}"#, .key("a")),
            (#"{"012345678901234567890":1,"a":[1]}"#, .key("a")),
        ] {
            let error = #expect(throws: DataRequestError.self) {
                try texts(document, place, limits)
            }
            #expect(error?.code == .tooLarge)
        }
        #expect(throws: DataRequestError.self) {
            try scan(bytes(Data(#"["1234567"]"#.utf8)), .array, limits)
        }
    }

    @Test func `an error names the offset of a mistake, and no value`() throws {
        let error = try #require(
            #expect(throws: DataRequestError.self) { try texts(#"["secret" "other"]"#) })
        #expect(error.code == .undecodable)
        #expect(error.message.contains("byte 10"))
        #expect(!error.description.contains("secret"))
        let cut = #expect(throws: DataRequestError.self) { try texts(#"["secret", "#) }
        #expect(cut?.code == .malformedResponse)
        #expect(cut?.retry == .later)
    }

    @Test func `the scanner refuses an array that is missing, of another type or repeated`() throws
    {
        for document in [
            "{}", #"{"a":{}}"#, #"{"a":{"b":7}}"#, #"{"a":7}"#, "7",
            #"{"a":{"b":[1],"b":[2]}}"#, #"{"a":{"b":[1]},"a":{}}"#,
        ] {
            let error = #expect(throws: DataRequestError.self) { try texts(document, .key("a.b")) }
            #expect(error?.code == .undecodable, "\(document)")
        }
    }
}
#endif
