#if RequestCore
public import PlatformFoundation

/// How a file is downloaded.
public struct DownloadOptions: Sendable {
    /// What happens to a file that is at the destination already.
    public enum Existing: Sendable {
        /// It is replaced in one step when the download is complete.
        case replace
        /// The download is refused with `destinationExists`.
        case refuse
    }

    /// A step of the work on files, for tests.
    package enum Step: String, Sendable, CaseIterable {
        case open, space, truncate, record, write, sync, move, clean, syncDirectory, close
    }

    /// What happens to a file that is at the destination already.
    public var existing = Existing.replace
    /// Whether what an earlier call has left is gone on with.
    public var resumes = true
    /// Whether what has come is kept when the call fails or is cancelled, to go on with later.
    public var keepsPartialFile = true
    /// How many times an interrupted transfer is gone on with in one call.
    public var maximumResumptions = 5
    /// How much space must stay free on the disk, in bytes.
    public var reservedSpace: Int64 = 64 << 20
    /// The largest file, in bytes; larger ones fail with `tooLarge`.
    public var maximumSize: Int64?
    /// Looks at the finished file before it is moved into place; an error refuses it.
    ///
    /// It gets the address of the partial file, which has all bytes by then and must not be changed.
    /// What is refused is removed, since going on with it could not make it better.
    public var verify: (@Sendable (URL) async throws -> Void)?
    /// Called before each step, on the thread that takes it.
    package var onStep: (@Sendable (Step) throws -> Void)?
    /// Stands in for the free space of the disk.
    package var freeSpace: Int64?

    /// Makes options with the defaults.
    public init() {}
}
#endif
