#if RequestCore
/// The attempts, waits and refreshes of one call so far.
struct AttemptProgress: Sendable {
    /// Attempts that were begun, the first included.
    var attempts = 0
    /// Time that was spent waiting between attempts.
    var waited = Duration.zero
    /// Whether this call has requested a refresh of the credentials.
    var hasRefreshed = false
    /// Whether a redirect of the current attempt left the origin and so lost the credentials.
    var hasLostCredentials = false
    /// Exchanges that went to the transport, redirects and repetitions included.
    var exchanges = 0
}
#endif
