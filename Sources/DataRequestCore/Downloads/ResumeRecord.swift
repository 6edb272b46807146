#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// The data needed to resume a partial file; written beside it.
///
/// It holds two hashes of the address instead of the address itself, which may contain
/// secrets.
struct ResumeRecord: Codable, Sendable, Equatable {
    /// The version of this format.
    var format = 1
    /// The hash of the request.
    var source: String
    /// The host that has answered.
    var host: String
    /// The validator for `If-Range`: a strong entity tag, or a date that is as good.
    var validator: String
    /// The size of the whole, if it is known.
    var total: Int64?
    /// The run of the system in which the bytes were written.
    var run: String
    /// How many bytes are synced to the disk, so that they survive a crash of the system.
    var synced: Int64 = 0

    /// Makes the record of a response; nil if the download cannot be resumed.
    init?(_ response: IncomingResponse, source: String, total: Int64?, run: String) {
        guard response.decodedContent == nil, let validator = Self.validator(response.headers)
        else { return nil }
        self.source = source
        host = response.url.host ?? ""
        self.validator = validator
        self.total = total
        self.run = run
    }

    /// A strong entity tag, or else the date of the last change if it is older than the answer.
    ///
    /// A weak tag says that two bodies mean the same, not that they have the same bytes. A date is
    /// as good as a strong tag only if the file was not changed in the second of the answer, or
    /// else it may have changed twice in that second (RFC 9110, 8.8.2.2).
    static func validator(_ headers: HTTPFields) -> String? {
        if let tag = headers[.eTag] {
            let isStrong = tag.utf8.count >= 2 && tag.begins(with: "\"") && tag.ends(with: "\"")
            return isStrong ? tag : nil
        }
        guard let text = headers[.lastModified], let changed = HTTPDate.parse(text),
            let date = headers[.date].flatMap({ HTTPDate.parse($0) }),
            date.timeIntervalSince(changed) >= 1
        else { return nil }
        return text
    }

    /// The hash of a request, which does not reveal its address.
    static func source(of request: DataRequest) -> String {
        let items = request.query.map { "\($0.name)=\($0.value ?? "")" }
        // What a request accepts decides which bytes it gets.
        let accepted = request.headers[.acceptEncoding].map { "\n\n\($0)" } ?? ""
        let text =
            "\(request.method) \(request.target)\n\(items.joined(separator: "\n"))" + accepted
        // FNV-1a with two bases; it need not resist attacks, since the validator decides.
        let hashes = [0xcbf2_9ce4_8422_2325, 0x9e37_79b9_7f4a_7c15].map { (base: UInt64) in
            text.utf8.reduce(base) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        }
        return hashes.map { String($0, radix: 16) }.joined(separator: "-")
    }
}
#endif
