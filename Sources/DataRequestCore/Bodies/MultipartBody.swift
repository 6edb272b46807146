#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// The parts of a body of `multipart/form-data` (RFC 7578).
///
/// ```swift
/// var body = MultipartBody()
/// body.add("title", text: "Solace")
/// try body.add("notes", json: Notes(tempo: "slow"))
/// body.add("cover", file: coverURL)
/// let request = DataRequest(.post, "tracks").multipart(body)
/// // --skiathos-4f…\r\nContent-Disposition: form-data; name="title"\r\n\r\nSolace\r\n…
/// ```
///
/// Files are opened and measured when the request is sent, before its first byte goes out, and
/// read in pieces of 64 KiB while it is sent; the length of the whole is known beforehand. Names
/// are escaped as browsers do, and go out in UTF-8.
public struct MultipartBody: Sendable {
    /// One part.
    public struct Part: Sendable {
        /// Where the bytes of a part come from.
        enum Content: Sendable {
            case data(Data)
            case file(URL, allowsEmpty: Bool)
        }

        /// The name of the field.
        public var name: String
        /// The file name to send, if the part is a file.
        public var fileName: String?
        /// The media type to send, if any.
        public var contentType: String?
        /// Further headers.
        public var headers: HTTPFields
        let content: Content
    }

    /// The parts in their order.
    public private(set) var parts: [Part] = []
    /// The boundary between the parts, with 40 random letters.
    public let boundary: String

    /// Makes a body without parts.
    public init() {
        var numbers = SystemRandomNumberGenerator()
        self.init(using: &numbers)
    }

    /// Makes a body without parts whose boundary is made of the given random numbers.
    public init(using numbers: inout some RandomNumberGenerator) {
        let letters = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        let random = (0..<40).map { _ in
            letters[Int.random(in: 0..<letters.count, using: &numbers)]
        }
        boundary = "skiathos-" + String(random)
    }

    /// Adds a text in UTF-8.
    public mutating func add(_ name: String, text: String, headers: HTTPFields = [:]) {
        add(Part(name: name, headers: headers, content: .data(Data(text.utf8))))
    }

    /// Adds bytes, as a file if they have a file name.
    public mutating func add(
        _ name: String, data: Data, fileName: String? = nil,
        contentType: String = "application/octet-stream", headers: HTTPFields = [:]
    ) {
        add(
            Part(
                name: name, fileName: fileName, contentType: contentType, headers: headers,
                content: .data(data)))
    }

    /// Adds a value as JSON.
    ///
    /// - Throws: `DataRequestError.invalidBody`, which names the place of what cannot be encoded.
    public mutating func add(
        _ name: String, json value: some Encodable, encoder: JSONEncoder = JSONEncoder(),
        headers: HTTPFields = [:]
    ) throws {
        guard case .bytes(let data) = try RequestBody.json(value, encoder: encoder).source else {
            return
        }
        add(name, data: data, contentType: "application/json", headers: headers)
    }

    /// Adds a file, which is opened when the request is sent.
    ///
    /// Sending fails with `invalidBody`, which names the part, before anything is sent, if the
    /// file is missing, a directory, not a regular file, or empty.
    ///
    /// - Parameters:
    ///   - name: The name of the part.
    ///   - url: The file.
    ///   - fileName: The file name to send; the last part of the address if nil.
    ///   - contentType: The media type; guessed by the end of the name if nil.
    ///   - headers: Further headers of the part.
    ///   - allowsEmpty: Whether an empty file is sent rather than refused.
    public mutating func add(
        _ name: String, file url: URL, fileName: String? = nil, contentType: String? = nil,
        headers: HTTPFields = [:], allowsEmpty: Bool = false
    ) {
        add(
            Part(
                name: name, fileName: fileName ?? url.lastPathComponent,
                contentType: contentType ?? FileTypes.type(ofFile: url.lastPathComponent),
                headers: headers, content: .file(url, allowsEmpty: allowsEmpty)))
    }

    private mutating func add(_ part: Part) { parts.append(part) }
}

extension MultipartBody.Part {
    init(
        name: String, headers: HTTPFields, content: Content
    ) {
        self.init(
            name: name, fileName: nil, contentType: nil, headers: headers, content: content)
    }

    /// The lines before the bytes of the part, with the empty one that ends them.
    var head: Data {
        var text = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let fileName { text += "; filename=\"\(Self.escaped(fileName))\"" }
        text += "\r\n"
        if let contentType, headers[.contentType] == nil {
            text += "Content-Type: \(Self.line(contentType))\r\n"
        }
        for field in headers where field.name != .contentDisposition {
            text += "\(field.name): \(Self.line(field.value))\r\n"
        }
        return Data((text + "\r\n").utf8)
    }

    /// A name as browsers write it: the signs that would end it are percent-encoded, others are
    /// left as they are, the percent sign, too (WHATWG HTML, multipart/form-data encoding).
    static func escaped(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A value without the characters that would end its line.
    private static func line(_ value: String) -> String {
        String(
            String.UnicodeScalarView(
                value.unicodeScalars.filter { !"\r\n\0".unicodeScalars.contains($0) }))
    }
}
#endif
