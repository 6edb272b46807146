#if RequestCore
/// What was done so far to have the answer of one call.
struct AttemptProgress: Sendable {
    /// Attempts that were begun, the first included.
    var attempts = 0
    /// Time that was spent waiting between attempts.
    var waited = Duration.zero
    /// Whether a refresh of the credentials was asked for on behalf of this call.
    var hasRefreshed = false
    /// Whether a redirect of the present attempt left the origin, and the credentials behind.
    var hasLostCredentials = false
    /// Exchanges that went to the transport, redirects and repetitions included.
    var exchanges = 0
}
#endif
