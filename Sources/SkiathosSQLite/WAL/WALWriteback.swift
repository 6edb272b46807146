import CSkiathosFiles
import SkiathosLocks
import Synchronization

/// Has the system begin to write the WAL to the disk before a sync waits for that.
///
/// A sync writes the pages, then has the disk flush its cache. While the disk writes, the thread that is
/// about to sync still has work to do. What is written early makes nothing durable and hides no failure: the
/// sync that follows waits for it, and reports what has failed since the WAL was opened.
///
/// It has a descriptor of its own, since SQLite does not give away the one that it has. Closing it releases
/// no lock: SQLite has none on a WAL.
final class WALWriteback: Sendable {
    /// `nil` once it is closed, when its number may be that of another file.
    ///
    /// Held while the descriptor is used.
    private let descriptor: Lock<Int32?>

    /// `nil` where the system cannot do it.
    init?(_ path: StorePath) {
        let descriptor = skiathos_open_for_writeback(path.walFile)
        guard descriptor >= 0 else { return nil }
        guard skiathos_begin_writeback(descriptor) else {
            SystemCalls.closeFile(descriptor)
            return nil
        }
        self.descriptor = Lock(descriptor)
    }

    deinit { close() }

    /// Begins to write what the WAL holds; does nothing after ``close()``.
    ///
    /// A failure is that of the sync.
    func begin() {
        descriptor.withLock { descriptor in
            if let descriptor { _ = skiathos_begin_writeback(descriptor) }
        }
    }

    /// Closes the descriptor, after a running ``begin()``.
    ///
    /// Calling it again has no effect.
    func close() {
        descriptor.withLock { descriptor in
            if let open = descriptor { SystemCalls.closeFile(open) }
            descriptor = nil
        }
    }
}
