/// How far a write has gone when its call returns.
///
/// ```swift
/// try await dal.write(acknowledging: .durable) { try Payment.create(in: $0) }
/// ```
///
/// | level | later reads see it | survives the end of the process | survives the loss of power |
/// |---|---|---|---|
/// | `merged` | yes | after the next commit, about 2 ms later | after the next sync |
/// | `committed` | yes | yes | after the next sync |
/// | `durable` | yes | yes | yes |
///
/// Writes that wait at the same time share one commit, and one sync.
public enum Acknowledgement: Int, Sendable, Hashable, CaseIterable {
    /// Its changes are in the main context: every later read sees them.
    ///
    /// A commit that fails afterwards is reported to the error handler of the configuration.
    case merged
    /// They are in the store's WAL: they survive the end of the process, even by `kill -9`.
    case committed
    /// The WAL has been synced since: they survive the loss of power.
    case durable
}

extension Acknowledgement {
    /// Whether a write of this level waits for its commit.
    var awaitsCommit: Bool { self >= .committed }
    /// Whether a write of this level waits for a sync after its commit.
    var awaitsSync: Bool { self >= .durable }
}

extension Acknowledgement: Comparable {
    /// A level is smaller than those that promise more.
    public static func < (left: Acknowledgement, right: Acknowledgement) -> Bool {
        left.rawValue < right.rawValue
    }
}
