#if RequestCore
/// A way in which a body was encoded for its transfer.
enum ContentCoding: Sendable, Hashable {
    case gzip
    /// The zlib format; raw deflate data, which some servers send, is accepted too.
    case deflate

    /// The codings of a header in the order in which they were applied.
    ///
    /// - Throws: `unsupportedEncoding` for a coding that is not known, or for more than three.
    static func codings(of header: String) throws -> [ContentCoding] {
        let names = header.parts(at: ",").filter { !$0.isEmpty }.map { $0.trimmed.lowercased() }
        guard names.count <= 3 else {
            throw DataRequestError(
                .unsupportedEncoding,
                "The answer has \(names.count) content encodings, too many to decode.")
        }
        return try names.compactMap { name in
            switch name {
            case "gzip", "x-gzip": return .gzip
            case "deflate": return .deflate
            case "identity", "": return nil
            default:
                throw DataRequestError(
                    .unsupportedEncoding,
                    "The answer is encoded as \(printable(name)); only gzip and deflate are "
                        + "supported. Set Accept-Encoding to get such bodies undecoded.")
            }
        }
    }

    /// A name from a response, without characters that do not belong in a message.
    private static func printable(_ name: String) -> String {
        let isToken = name.utf8.allSatisfy { byte in
            (48...57).contains(byte) || (97...122).contains(byte) || byte == 45 || byte == 95
        }
        return isToken && name.utf8.count <= 20 ? name : "something else"
    }
}

extension DataRequestError.Code {
    /// The answer has a `Content-Encoding` that is not understood.
    public static let unsupportedEncoding = Self(rawValue: "unsupportedEncoding")
}
#endif
