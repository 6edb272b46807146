/// Whether something becomes true that happens by itself, for what no event tells.
///
/// The limit is no bound on speed: it ends the wait for what never happens.
package func happens(
    within limit: Duration = .seconds(120), _ condition: @Sendable () -> Bool
) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}
