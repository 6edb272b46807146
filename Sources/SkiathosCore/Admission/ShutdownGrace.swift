/// How long the steps after the deadline of a shutdown may take, at least.
///
/// A tenth of the deadline counts where that is more. Tests of what ends by itself allow much more, so
/// that they do not depend on what else the machine does.
package struct ShutdownGrace: Sendable {
    /// For closures to end whose statements were interrupted.
    package var closures = Duration.milliseconds(250)
    /// For bringing to disk what was merged.
    package var flush = Duration.milliseconds(250)
}
