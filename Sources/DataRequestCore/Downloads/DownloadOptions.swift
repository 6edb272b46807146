#if RequestCore
public import SkiathosPlatformFoundation

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
    /// Whether the partial file of an earlier call is resumed.
    public var resumes = true
    /// Whether the partial file is kept for a later call when this one fails or is cancelled.
    public var keepsPartialFile = true
    /// How many times an interrupted transfer is resumed in one call.
    public var maximumResumptions = 5
    /// How much space must stay free on the disk, in bytes.
    public var reservedSpace: Int64 = 64 << 20
    /// The largest file, in bytes; larger ones fail with `tooLarge`.
    public var maximumSize: Int64?
    /// Verifies the finished file before it is moved into place; an error refuses it.
    ///
    /// It gets the address of the partial file, which is complete by then and must not be
    /// changed. A refused file is removed, since resuming could not repair it.
    public var verify: (@Sendable (URL) async throws -> Void)?
    /// Called before each step, on the thread that runs it.
    package var onStep: (@Sendable (Step) throws -> Void)?
    /// Replaces the free space of the disk.
    package var freeSpace: Int64?

    /// Makes options with the defaults.
    public init() {}
}
#endif
