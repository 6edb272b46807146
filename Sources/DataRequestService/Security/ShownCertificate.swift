#if Requests
import SkiathosPlatformFoundation

/// The unverified contents of a certificate, for messages.
struct ShownCertificate: Equatable, Sendable {
    /// The names of the subject and the issuer, as bytes to compare.
    let subject: [UInt8]
    let issuer: [UInt8]
    let from: Date
    let to: Date
    /// The hosts of the certificate, as printable texts.
    let hosts: [String]
    /// Whether it has the address of its issuer's certificate, as those have whose issuer is
    /// no root.
    let locatesIssuer: Bool

    var isSelfIssued: Bool { subject == issuer }

    /// Parses a certificate (RFC 5280, 4.1); nil for bytes that are none.
    init?(der: [UInt8], from: Date, to: Date) {
        var file = DERReader(der[...])
        guard var whole = file.next(DERReader.sequence)?.values,
            var fields = whole.next(DERReader.sequence)?.values
        else { return nil }
        _ = fields.next(0xA0)  // the version
        guard fields.next(DERReader.integer) != nil, fields.next(DERReader.sequence) != nil,
            let issuer = fields.next(DERReader.sequence),
            fields.next(DERReader.sequence) != nil,
            let subject = fields.next(DERReader.sequence)
        else { return nil }
        self.issuer = Array(issuer.whole)
        self.subject = Array(subject.whole)
        self.from = from
        self.to = to
        var hosts: [String] = []
        var locatesIssuer = false
        for (identifier, value) in Self.extensions(&fields) {
            switch identifier {
            case Self.alternativeNames: hosts = Self.hosts(value)
            case Self.authorityAccess: locatesIssuer = Self.locates(value)
            default: break
            }
        }
        self.hosts = hosts
        self.locatesIssuer = locatesIssuer
    }

    /// The name of the subject, as a printable text.
    var subjectName: String { Self.text(ofName: subject) }
    /// The name of the issuer, as a printable text.
    var issuerName: String { Self.text(ofName: issuer) }
}

extension ShownCertificate {
    private static let alternativeNames: [UInt8] = [0x55, 0x1D, 0x11]
    private static let authorityAccess: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 1, 1]
    private static let issuers: [UInt8] = [0x2B, 6, 1, 5, 5, 7, 0x30, 2]
    /// Common name, organisation, unit: the first one present is used.
    private static let attributes: [[UInt8]] = [[0x55, 4, 3], [0x55, 4, 10], [0x55, 4, 11]]

    private static func extensions(
        _ fields: inout DERReader
    ) -> [(identifier: [UInt8], value: ArraySlice<UInt8>)] {
        // The key, and two optional identifiers, stand before them.
        while let field = fields.next() {
            guard field.tag == 0xA3 else { continue }
            var outer = field.values
            guard var list = outer.next(DERReader.sequence)?.values else { return [] }
            var found: [(identifier: [UInt8], value: ArraySlice<UInt8>)] = []
            while var parts = list.next(DERReader.sequence)?.values {
                guard let identifier = parts.next(DERReader.identifier) else { continue }
                _ = parts.next(DERReader.boolean)  // whether it is critical
                guard let value = parts.next(DERReader.octets) else { continue }
                found.append((Array(identifier.content), value.content))
            }
            return found
        }
        return []
    }

    /// The names of hosts and the addresses among alternative names (RFC 5280, 4.2.1.6).
    private static func hosts(_ value: ArraySlice<UInt8>) -> [String] {
        var outer = DERReader(value)
        guard var names = outer.next(DERReader.sequence)?.values else { return [] }
        var hosts: [String] = []
        while let name = names.next() {
            switch name.tag {
            case 0x82: hosts.append(printable(name.content))
            case 0x87: hosts.append(address(name.content))
            default: continue
            }
        }
        return hosts
    }

    private static func address(_ bytes: ArraySlice<UInt8>) -> String {
        guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
        let bytes = Array(bytes)
        return stride(from: 0, to: 16, by: 2)
            .map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    /// Whether an access to an authority's information is to the certificates of issuers
    /// (RFC 5280, 4.2.2.1).
    private static func locates(_ value: ArraySlice<UInt8>) -> Bool {
        var outer = DERReader(value)
        guard var accesses = outer.next(DERReader.sequence)?.values else { return false }
        while var access = accesses.next(DERReader.sequence)?.values {
            if access.next(DERReader.identifier).map({ Array($0.content) }) == issuers {
                return true
            }
        }
        return false
    }

    private static func text(ofName name: [UInt8]) -> String {
        var outer = DERReader(name[...])
        guard var sets = outer.next(DERReader.sequence)?.values else { return "?" }
        var best: (rank: Int, text: String)?
        while var attributes = sets.next(DERReader.set)?.values {
            guard var attribute = attributes.next(DERReader.sequence)?.values,
                let identifier = attribute.next(DERReader.identifier),
                let rank = Self.attributes.firstIndex(of: Array(identifier.content)),
                let value = attribute.next(), rank < best?.rank ?? .max
            else { continue }
            best = (rank, printable(value.content))
        }
        return best?.text ?? "a name that is not shown"
    }

    /// The bytes as a text of printable characters only: a server may send any bytes.
    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        let signs = String(decoding: bytes.prefix(100), as: UTF8.self).unicodeScalars.map {
            switch $0.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                "?" as Unicode.Scalar
            default: $0
            }
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: signs)
        return String(text)
    }
}
#endif
