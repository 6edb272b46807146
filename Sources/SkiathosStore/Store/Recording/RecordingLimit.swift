/// How much a record of changed rows may hold.
///
/// A record that would become larger is dropped, so that a change of a whole table does not fill the
/// memory.
public struct RecordingLimit: Sendable, Hashable {
    /// The most changes.
    public var rows: Int
    /// About how many bytes the values of all changes may take.
    public var bytes: Int

    /// Makes a limit.
    public init(rows: Int = 10_000, bytes: Int = 8 << 20) {
        self.rows = rows
        self.bytes = bytes
    }
}
