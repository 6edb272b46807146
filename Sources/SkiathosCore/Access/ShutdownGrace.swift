/// The least time for each step after the deadline of a shutdown.
///
/// A tenth of the deadline counts where that is more. Tests of what ends by itself allow much
/// more, so that they do not depend on the load of the machine.
package struct ShutdownGrace: Sendable {
    /// For ending closures whose statements were interrupted.
    package var closures = Duration.milliseconds(250)
    /// For syncing what was merged.
    package var flush = Duration.milliseconds(250)
}
