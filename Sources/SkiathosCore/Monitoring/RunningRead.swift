/// A read, or a backup, that is under way: where it was called, and since when it has its connection.
struct RunningRead: Sendable {
    let place: SourcePlace
    let start: CoarseTime
}
