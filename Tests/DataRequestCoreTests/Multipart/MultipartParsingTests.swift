#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import TestSupport
import Testing

struct MultipartParsingTests {
    /// Names without a backslash, which browsers leave as it is and mail takes for an escape.
    private static let letters = Array("abc \"'%;=,.:/()<>@[]{}?*ü€😀\r\n\t-_+&é")

    @Test func `an independent parser finds the parts of a body`() async throws {
        var numbers = SeededNumbers(seed: 20_261_122)
        try await withFiles { directory in
            var (body, expected) = (MultipartBody(using: &numbers), [ParsedPart]())
            for index in 0..<200 {
                let name = Self.name(&numbers) + "\(index)"
                let content = Self.content(&numbers, boundary: body.boundary)
                let fileName = Bool.random(using: &numbers) ? Self.name(&numbers) + "x" : nil
                var headers: [String: String] = [:]
                switch index % 3 {
                case 0:
                    let file = directory.appending(path: "\(index)")
                    try content.write(to: file)
                    body.add(
                        name, file: file, fileName: fileName, contentType: "image/png",
                        allowsEmpty: true)
                case 1:
                    body.add(
                        name, data: content, fileName: fileName, contentType: "image/png",
                        headers: [.contentLanguage: "en"])
                    headers = ["content-language": "en"]
                default:
                    try body.add(name, json: content)
                }
                let isJSON = index % 3 == 2
                let json = Data("\"\(content.base64EncodedString())\"".utf8)
                expected.append(
                    ParsedPart(
                        name: Self.browser(name),
                        fileName: isJSON
                            ? nil
                            : (fileName ?? (index % 3 == 0 ? "\(index)" : nil)).map(Self.browser),
                        type: isJSON ? "application/json" : "image/png",
                        content: isJSON ? "" : content.base64EncodedString(), headers: headers))
                if isJSON {
                    expected[index].content = Self.escapedSlashes(json).base64EncodedString()
                }
            }
            let sent = try await BodyFixture().sent(DataRequest(.post, "x").multipart(body))
            #expect(sent.request.body.length == Int64(sent.body.count))
            let type = try #require(sent.request.headers[.contentType])
            let parsed = try await PythonParser.parts(
                of: sent.body, contentType: type, in: directory)
            try #require(parsed.count == expected.count)
            for (found, wanted) in zip(parsed, expected) { #expect(found == wanted) }
        }
    }

    private static func name(_ numbers: inout SeededNumbers) -> String {
        let count = Int.random(in: 1...12, using: &numbers)
        // Python strips spaces around values, which is its own affair.
        return "n"
            + String(
                (0..<count).map { _ in letters[Int.random(in: 0..<letters.count, using: &numbers)] }
            )
    }

    private static func content(_ numbers: inout SeededNumbers, boundary: String) -> Data {
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: Data()
        case 1: Data("\r\n--\(boundary.dropLast())\r\n\r\n".utf8)
        case 2: Data("--\r\n--\r\n\n\r".utf8)
        default: numbers.bytes(Int.random(in: 1...5_000, using: &numbers))
        }
    }

    private static func browser(_ name: String) -> String {
        name.replacing("\r\n", with: "%0D%0A").replacing("\"", with: "%22")
            .replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func escapedSlashes(_ json: Data) -> Data {
        Data(String(decoding: json, as: UTF8.self).replacing("/", with: "\\/").utf8)
    }
}
#endif
