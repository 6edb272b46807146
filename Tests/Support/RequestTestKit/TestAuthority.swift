#if Requests
package import Crypto
package import DataRequestService
import Foundation
package import NIOSSL
import SwiftASN1
import X509

/// An authority that lives for one test, and the certificates that it signs.
package struct TestAuthority {
    /// A certificate with its key, as a server shows it.
    package struct Issued {
        package let key: P256.Signing.PrivateKey
        package let der: [UInt8]
        /// Those between it and the authority, which a server sends with it.
        package var between: [[UInt8]] = []

        /// The pin of the key, taken from the key and not from the certificate.
        package var keyPin: String {
            Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
        }

        /// The pin of the certificate.
        package var certificatePin: String { Data(SHA256.hash(data: der)).base64EncodedString() }

        /// The certificates as a text, for servers that read files.
        package var pem: String {
            ([der] + between).map { PEMDocument(type: "CERTIFICATE", derBytes: $0).pemString }
                .joined(separator: "\n")
        }

        /// The key as a text.
        package var keyPEM: String { key.pemRepresentation }

        /// What a server over NIO shows.
        package func serverConfiguration() throws -> TLSConfiguration {
            .makeServerConfiguration(
                certificateChain: try ([der] + between).map {
                    .certificate(try NIOSSLCertificate(bytes: $0, format: .der))
                },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        }
    }

    /// The dates between which a certificate is valid.
    package enum Validity: Sendable {
        case now, over, later

        fileprivate var dates: (from: Date, to: Date) {
            let now = Date()
            return switch self {
            case .now: (now - 86_400, now + 86_400)
            case .over: (now - 86_400, now - 3_600)
            case .later: (now + 3_600, now + 86_400)
            }
        }
    }

    private let key: P256.Signing.PrivateKey
    private let name: DistinguishedName
    package let der: [UInt8]
    /// Its own certificate and those above it, without that of the first authority.
    private let between: [[UInt8]]

    package init(named name: String = "Authority of a test") throws {
        key = P256.Signing.PrivateKey()
        self.name = try DistinguishedName { CommonName(name) }
        der = try Self.sign(
            key, subject: self.name, by: key, issuer: self.name, .now, try Self.authority())
        between = []
    }

    private init(
        _ key: P256.Signing.PrivateKey, _ name: DistinguishedName, _ der: [UInt8],
        between: [[UInt8]]
    ) {
        self.key = key
        self.name = name
        self.der = der
        self.between = between
    }

    /// An authority whose certificate this one signs.
    package func authority(named name: String, _ validity: Validity = .now) throws -> TestAuthority
    {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName(name) }
        let der = try Self.sign(
            key, subject: name, by: self.key, issuer: self.name, validity, try Self.authority())
        return TestAuthority(key, name, der, between: [der] + between)
    }

    private static func authority() throws -> Certificate.Extensions {
        try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            Critical(KeyUsage(keyCertSign: true))
        }
    }

    /// What a client needs to trust what the authority signs.
    package var trust: SecurityPolicy.Trust { .authorities([.der(Data(der))]) }

    /// A certificate of a server that signs itself.
    package static func selfSigned(named name: String) throws -> Issued {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName(name) }
        let der = try sign(
            key, subject: name, by: key, issuer: name, .now,
            try Certificate.Extensions { SubjectAlternativeNames([.dnsName("localhost")]) })
        return Issued(key: key, der: der)
    }

    /// A certificate of a server.
    ///
    /// - Parameters:
    ///   - loopback: Whether it is for the address of the machine, too.
    ///   - locatingIssuer: Whether it says where the certificate of this authority lies.
    package func issue(
        hosts: [String] = ["localhost"], key: P256.Signing.PrivateKey = .init(),
        _ validity: Validity = .now, loopback: Bool = true, locatingIssuer: Bool = false
    ) throws -> Issued {
        // NIO accepts a certificate for the address too, whatever the name is.
        let addresses = loopback ? [ASN1OctetString(contentBytes: [127, 0, 0, 1])] : []
        let names = hosts.map(GeneralName.dnsName) + addresses.map(GeneralName.ipAddress)
        let access = AuthorityInformationAccess([
            .init(
                method: .issuingCA,
                location: .uniformResourceIdentifier("http://localhost/issuer.der"))
        ])
        let der = try Self.sign(
            key, subject: try DistinguishedName { CommonName(hosts[0]) }, by: self.key,
            issuer: name, validity,
            try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                SubjectAlternativeNames(names)
                if locatingIssuer { access }
            })
        return Issued(key: key, der: der, between: between)
    }

    private static func sign(
        _ key: P256.Signing.PrivateKey, subject: DistinguishedName,
        by issuerKey: P256.Signing.PrivateKey, issuer: DistinguishedName, _ validity: Validity,
        _ extensions: Certificate.Extensions
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: validity.dates.from,
            notValidAfter: validity.dates.to, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
#endif
