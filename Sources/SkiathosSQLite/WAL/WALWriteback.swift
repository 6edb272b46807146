import CSkiathosFiles

/// Has the system begin to write the WAL to the disk before a sync waits for that.
///
/// A sync writes the pages, then has the disk flush its cache. While the disk writes, the thread that is
/// about to sync still has work to do. What is written early makes nothing durable and hides no failure: the
/// sync that follows waits for it, and reports what has failed since the WAL was opened.
///
/// It has a descriptor of its own, since SQLite does not give away the one that it has. Closing it releases
/// no lock: SQLite has none on a WAL.
final class WALWriteback: Sendable {
    private let descriptor: Int32

    /// `nil` where the system cannot do it.
    init?(_ path: StorePath) {
        let descriptor = skiathos_open_for_writeback(path.walFile)
        guard descriptor >= 0 else { return nil }
        guard skiathos_begin_writeback(descriptor) else {
            SystemCalls.closeFile(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { SystemCalls.closeFile(descriptor) }

    /// Begins to write what the WAL holds.
    ///
    /// A failure is that of the sync.
    func begin() { _ = skiathos_begin_writeback(descriptor) }
}
