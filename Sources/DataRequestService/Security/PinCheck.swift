#if Requests
import Crypto
import DataRequestCore
import NIOSSL
import SkiathosPlatformFoundation

/// Compares the certificate of a server with the pins for it.
struct PinCheck: Sendable {
    /// The hosts, for the message.
    let hosts: String
    let pins: [Pin]

    init(_ set: PinSet) {
        hosts = set.hosts.joined(separator: ", ")
        pins = set.pins
    }

    /// Throws `pinMismatch` unless the certificate or its key is pinned.
    func callAsFunction(_ certificate: NIOSSLCertificate?) throws {
        guard let certificate else {
            throw DataRequestError(
                .pinMismatch, "\(hosts): expected a pinned certificate, and the server sent none.")
        }
        let key = PinCheck.digest(try certificate.extractPublicKey().toSPKIBytes())
        let whole = PinCheck.digest(try certificate.toDERBytes())
        let matches = pins.contains { pin in
            pin.digest == (pin.subject == .publicKey ? key : whole)
        }
        guard !matches else { return }
        throw DataRequestError(
            .pinMismatch,
            "\(hosts): the server has the public key sha256/\(key) in the certificate "
                + "sha256/\(whole), expected \(pins.map(\.description).joined(separator: " or ")). "
                + "Nothing was sent. Either it is not that server, or its key was changed without a "
                + "pinned backup.")
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        Data(SHA256.hash(data: bytes)).base64EncodedString()
    }
}
#endif
