#if RequestCore
extension DataRequestError.Code {
    /// The arguments of a download are not valid, such as a directory as destination.
    public static let invalidDownload = Self(rawValue: "invalidDownload")
    /// There is a file at the destination already, and it was not to be replaced.
    public static let destinationExists = Self(rawValue: "destinationExists")
    /// Another download is writing to the same destination, maybe in another process.
    public static let destinationInUse = Self(rawValue: "destinationInUse")
    /// There is not enough free space for the file.
    public static let noSpace = Self(rawValue: "noSpace")
    /// The system refused an operation on the file, for example without permission.
    public static let fileFailed = Self(rawValue: "fileFailed")
    /// The finished file was refused by the closure that verifies it.
    public static let unverified = Self(rawValue: "unverified")
}

extension DataRequestError {
    /// A refusal of the system as an error of the service.
    static func download(_ failure: SystemFailure, _ what: String) -> DataRequestError {
        guard failure.isFull else {
            return DataRequestError(.fileFailed, "The download could not \(what): \(failure).")
        }
        return DataRequestError(
            .noSpace, "There is no space left to \(what). Free some, and try again.")
    }
}
#endif
