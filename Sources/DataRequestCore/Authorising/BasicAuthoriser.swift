#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Authorises requests with a user and a password (RFC 7617).
///
/// ```swift
/// service.authorisation = try BasicAuthoriser(user: "ada", password: password)
/// // Authorization: Basic …
/// ```
///
/// Its description does not show the password.
public struct BasicAuthoriser: Authoriser, CustomStringConvertible, CustomReflectable {
    private let value: String

    /// Makes an authoriser.
    ///
    /// - Throws: `invalidConfiguration` for a user with a colon, since the password begins
    ///   after the first colon.
    public init(user: String, password: String) throws {
        guard !user.has(":") else {
            throw DataRequestError(
                .invalidConfiguration,
                "The user of a basic authorisation has a colon, behind which the password begins. "
                    + "Give one without.")
        }
        value = "Basic \(Data("\(user):\(password)".utf8).base64EncodedString())"
    }

    /// Sets the header `Authorization`.
    public func authorise(_ request: inout OutgoingRequest) {
        request.headers[.authorization] = value
    }

    /// The type alone.
    public var description: String { "BasicAuthoriser" }
    /// A mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
#endif
