#if RequestCore
import HTTPTypes

extension DataRequestError.Code {
    /// The token of the request was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The environment was switched while the request was in flight.
    public static let environmentChanged = Self(rawValue: "environmentChanged")
    /// The environment's base URL or another part of the set-up cannot be used.
    public static let invalidConfiguration = Self(rawValue: "invalidConfiguration")
    /// A header has a character that would end it.
    public static let invalidHeader = Self(rawValue: "invalidHeader")
}

extension DataRequestError {
    /// Runs what comes before a request is sent; its errors say that nothing was.
    package static func beforeSending<Value>(_ work: () throws -> Value) throws -> Value {
        do { return try work() } catch var error as DataRequestError {
            error.isUnsent = true
            throw error
        }
    }

    static func invalidHeader(_ name: HTTPField.Name) -> DataRequestError {
        DataRequestError(
            .invalidHeader,
            "The value of the header \(name) has a line break or another character that headers "
                + "cannot have, or begins or ends with a space. Encode it before.")
    }
}
#endif
