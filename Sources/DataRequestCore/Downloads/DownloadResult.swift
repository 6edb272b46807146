#if RequestCore
public import SkiathosPlatformFoundation

/// A file that was downloaded.
public struct DownloadResult: Sendable {
    /// The file.
    public var file: URL
    /// The status and the headers of the last response; 206 or 416 for a resumed download.
    public var head: ResponseHead
    /// The size of the file in bytes.
    public var size: Int64
    /// How many of these bytes an earlier call had written.
    public var resumedFrom: Int64

    /// Makes a result, for tests of code that takes one.
    public init(file: URL, head: ResponseHead, size: Int64, resumedFrom: Int64 = 0) {
        self.file = file
        self.head = head
        self.size = size
        self.resumedFrom = resumedFrom
    }
}

/// The progress of a download.
public struct DownloadProgress: Sendable, Hashable {
    /// The bytes of the file that are written, those of earlier calls included.
    public var received: Int64
    /// The size of the whole file in bytes; nil while it is unknown.
    public var total: Int64?

    /// Makes a state.
    public init(received: Int64, total: Int64?) {
        self.received = received
        self.total = total
    }

    /// The finished part from 0 to 1, if the whole is known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? Double(received) / Double(total) : 1
    }
}
#endif
