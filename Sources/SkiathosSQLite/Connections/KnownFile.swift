import CSkiathosFiles

/// A file as it was found at a path.
struct KnownFile: Sendable {
    let path: String
    var identity: skiathos_file_identity
    /// Whether the identities have the time of the last write.
    private let hasTime: Bool

    /// Finds the file at a path; `nil` if there is none.
    init?(_ path: String, withTime: Bool = false) throws {
        guard let identity = try Self.identity(of: path, withTime) else { return nil }
        self.path = path
        self.identity = identity
        hasTime = withTime
    }

    /// The file as it is now; `nil` if the path no longer leads to it.
    var present: skiathos_file_identity? {
        get throws {
            guard let present = try Self.identity(of: path, hasTime),
                present.device == identity.device, present.inode == identity.inode
            else { return nil }
            return present
        }
    }

    private static func identity(
        of path: String, _ withTime: Bool
    ) throws -> skiathos_file_identity? {
        var identity = skiathos_file_identity()
        let code = skiathos_identify_file(path, withTime, &identity)
        if code == 0 { return identity }
        let failure = SystemCalls.Failure(number: code)
        if failure.isMissing { return nil }
        throw failure.error("\"\(path)\" cannot be examined")
    }
}
