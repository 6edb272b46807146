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

        /// The pin of the key, taken from the key and not from the certificate.
        package var keyPin: String {
            Data(SHA256.hash(data: key.publicKey.derRepresentation)).base64EncodedString()
        }

        /// The pin of the certificate.
        package var certificatePin: String { Data(SHA256.hash(data: der)).base64EncodedString() }

        /// The certificate as a text, for servers that read files.
        package var pem: String { PEMDocument(type: "CERTIFICATE", derBytes: der).pemString }

        /// The key as a text.
        package var keyPEM: String { key.pemRepresentation }

        /// What a server over NIO shows.
        package func serverConfiguration() throws -> TLSConfiguration {
            .makeServerConfiguration(
                certificateChain: [
                    .certificate(try NIOSSLCertificate(bytes: der, format: .der))
                ],
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)))
        }
    }

    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    package let der: [UInt8]

    package init() throws {
        name = try DistinguishedName { CommonName("Authority of a test") }
        let now = Date()
        der = try Self.sign(
            key, subject: name, by: key, issuer: name,
            from: now - 86_400, to: now + 86_400,
            try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                Critical(KeyUsage(keyCertSign: true))
            })
    }

    /// What a client needs to trust what the authority signs.
    package var trust: SecurityPolicy.Trust { .authorities([.der(Data(der))]) }

    package func issue(
        hosts: [String] = ["localhost"], key: P256.Signing.PrivateKey = .init(),
        expired: Bool = false, loopback: Bool = true
    ) throws -> Issued {
        let now = Date()
        // NIO accepts a certificate for the address too, whatever the name is.
        let addresses = loopback ? [ASN1OctetString(contentBytes: [127, 0, 0, 1])] : []
        let names = hosts.map(GeneralName.dnsName) + addresses.map(GeneralName.ipAddress)
        let der = try Self.sign(
            key, subject: try DistinguishedName { CommonName(hosts[0]) }, by: self.key,
            issuer: name, from: now - 86_400, to: expired ? now - 3_600 : now + 86_400,
            try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                SubjectAlternativeNames(names)
            })
        return Issued(key: key, der: der)
    }

    private static func sign(
        _ key: P256.Signing.PrivateKey, subject: DistinguishedName,
        by issuerKey: P256.Signing.PrivateKey, issuer: DistinguishedName, from: Date, to: Date,
        _ extensions: Certificate.Extensions
    ) throws -> [UInt8] {
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: from,
            notValidAfter: to, issuer: issuer, subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
            issuerPrivateKey: Certificate.PrivateKey(issuerKey))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
#endif
