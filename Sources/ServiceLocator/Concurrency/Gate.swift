/// A one-shot latch: threads block until it is opened, and it never closes again.
///
/// Sendable: `isOpen` is only touched while `mutex` is held.
final class Gate: @unchecked Sendable {
    private let mutex = SystemMutex()
    private var isOpen = false  // guarded by mutex

    /// Blocks the thread until the gate is open.
    func wait() {
        mutex.lock()
        while !isOpen { mutex.wait() }
        mutex.unlock()
    }

    func open() {
        mutex.lock()
        isOpen = true
        mutex.wakeAll()
        mutex.unlock()
    }
}
