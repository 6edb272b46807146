#if RequestCore
extension DataRequestError.Code {
    /// A download was asked for in a way that it cannot be done, such as onto a directory.
    public static let invalidDownload = Self(rawValue: "invalidDownload")
    /// There is a file at the destination already, and it was not to be replaced.
    public static let destinationExists = Self(rawValue: "destinationExists")
    /// Another download is writing to the same destination, maybe in another process.
    public static let destinationInUse = Self(rawValue: "destinationInUse")
    /// There is not enough free space for the file.
    public static let noSpace = Self(rawValue: "noSpace")
    /// The system refuses something with the file, such as for want of permission.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// The finished file was refused by the closure that verifies it.
    public static let unverified = Self(rawValue: "unverified")
}

extension DataRequestError {
    /// What the system has refused, in the service's terms.
    static func download(_ failure: SystemFailure, _ what: String) -> DataRequestError {
        guard failure.isFull else {
            return DataRequestError(.fileFailed, "The download could not \(what): \(failure).")
        }
        return DataRequestError(
            .noSpace, "There is no space left to \(what). Free some, and try again.")
    }
}
#endif
