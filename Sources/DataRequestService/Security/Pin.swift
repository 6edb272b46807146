#if Requests
import DataRequestCore
import SkiathosPlatformFoundation

/// The SHA-256 digest of a public key or of a certificate that a server must show.
///
/// ```swift
/// let now = try Pin.publicKey(sha256: "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=")
/// // the server's key must have this digest, whatever certificate it comes in
/// ```
public struct Pin: Sendable, Hashable {
    /// The data that a digest is computed from.
    public enum Subject: String, Sendable, Hashable {
        /// The key, as DER of `SubjectPublicKeyInfo`: stays valid when the certificate is
        /// renewed.
        case publicKey = "public key"
        /// The whole certificate, as DER: invalid when the certificate is renewed.
        case certificate
    }

    /// The data that the digest is computed from.
    public let subject: Subject
    /// The digest, in base64.
    public let digest: String

    private init(_ subject: Subject, sha256 digest: String) throws {
        guard let bytes = Data(base64Encoded: digest), bytes.count == 32 else {
            throw DataRequestError(
                .invalidPolicy,
                "A pin is the base64 of the 32 bytes of a SHA-256, 44 characters with the padding; "
                    + "found \(digest.utf8.count) characters that are not. Security.md has a command that makes one."
            )
        }
        self.subject = subject
        self.digest = bytes.base64EncodedString()
    }

    /// Pins a public key.
    ///
    /// - Parameter sha256: The base64 of the SHA-256 of the key's DER `SubjectPublicKeyInfo`.
    /// - Throws: `invalidPolicy` if that is not base64 of 32 bytes.
    public static func publicKey(sha256: String) throws -> Pin {
        try Pin(.publicKey, sha256: sha256)
    }

    /// Pins a certificate.
    ///
    /// - Parameter sha256: The base64 of the SHA-256 of the certificate's DER.
    /// - Throws: `invalidPolicy` if that is not base64 of 32 bytes.
    public static func certificate(sha256: String) throws -> Pin {
        try Pin(.certificate, sha256: sha256)
    }
}

extension Pin: CustomStringConvertible {
    /// The digest as in `sha256/r/mIkG3eEpVd…`, with its subject.
    public var description: String { "\(subject.rawValue) sha256/\(digest)" }
}
#endif
