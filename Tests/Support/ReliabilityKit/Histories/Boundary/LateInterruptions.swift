import SkiathosPlatformLibC
import SkiathosStore

/// Interruptions that reach a connection late, as those of a thread that has lost its processor do.
///
/// So they meet the next access if the one that was cancelled does not wait for them.
struct LateInterruptions: Sendable, Equatable {
    /// In microseconds; less than a second.
    let delay: Int

    /// The store as before, but for the interruptions.
    func of(_ store: any PersistentStore) -> any PersistentStore {
        guard delay > 0 else { return store }
        return ForwardingStore(
            store,
            interrupt: { connection in
                usleep(UInt32(delay))
                connection.interrupt()
            })
    }
}
