#if RequestCore
import SkiathosPlatformFoundation

/// The ways in which texts are written.
enum TextEncoding {
    /// The text of a body.
    ///
    /// - Throws: `DataRequestError.undecodable` for an unknown charset or bytes that are not of it.
    static func decode(_ body: Data, as type: MediaType) throws -> String {
        let (charset, bytes) = marked(body) ?? (type.parameters["charset"]?.lowercased(), body)
        guard let text = try text(of: bytes, in: charset ?? "utf-8") else {
            throw DataRequestError(
                .undecodable, "The text of the answer is not written in the charset that it names.")
        }
        return text
    }

    private static func marked(_ body: Data) -> (String?, Data)? {
        if body.starts(with: [0xef, 0xbb, 0xbf]) { return ("utf-8", body.dropFirst(3)) }
        if body.starts(with: [0xfe, 0xff]) { return ("utf-16be", body.dropFirst(2)) }
        if body.starts(with: [0xff, 0xfe]) { return ("utf-16le", body.dropFirst(2)) }
        return nil
    }

    private static func text(of bytes: Data, in charset: String) throws -> String? {
        switch charset {
        case "utf-8", "utf8": return String(validating: bytes, as: UTF8.self)
        case "us-ascii", "ascii": return String(validating: bytes, as: Unicode.ASCII.self)
        case "iso-8859-1", "latin1", "iso_8859-1", "l1":
            return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        // Without a mark, UTF-16 is big-endian (RFC 2781).
        case "utf-16", "utf-16be": return utf16(bytes) { UInt16($0) << 8 | UInt16($1) }
        case "utf-16le": return utf16(bytes) { UInt16($1) << 8 | UInt16($0) }
        default:
            throw DataRequestError(
                .undecodable,
                "The text of the answer is written in a charset that is not known. Add a serializer "
                    + "for it.")
        }
    }

    private static func utf16(_ bytes: Data, _ join: (UInt8, UInt8) -> UInt16) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let bytes = Array(bytes)
        let units = stride(from: 0, to: bytes.count, by: 2).map { join(bytes[$0], bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }
}
#endif
