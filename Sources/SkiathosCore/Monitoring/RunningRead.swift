/// A read or a backup that is under way: the source location of its call, and since when it
/// has its connection.
struct RunningRead: Sendable {
    let place: SourcePlace
    let start: CoarseTime
}
