#if Lifecycle
/// What the system says about an app, as far as stores need to know it.
///
/// ```swift
/// let (states, state) = AsyncStream.makeStream(of: AppState.self)
/// state.yield(.background)   // where the system tells it, such as in a delegate of the app
/// let report = try await AppStateReactor(dal).run(following: states) { try await serve(dal) }
/// ```
public enum AppState: Sendable, Hashable, CaseIterable {
    /// The app is in use; the stores are left as they are.
    case active
    /// The app is about to lose its focus: the stores are flushed.
    case inactive
    /// The app is not seen any more, and may be ended without notice: the stores are flushed.
    case background
    /// The app is about to be ended: the work is stopped as by a signal.
    case terminating
}
#endif
