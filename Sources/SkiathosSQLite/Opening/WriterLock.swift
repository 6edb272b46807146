import Locks
import SkiathosStore
import Synchronization

/// The right to write a store, held by at most one store object of one process at a time.
///
/// The lock is advisory and lies on a file of its own, which is never removed: a file that is
/// unlinked could be locked by two processes, one for each of its lives.
final class WriterLock: Sendable {
    /// The open lock file; `nil` once the lock was given up.
    private let descriptor: Lock<Int32?>

    /// Takes the lock, or fails at once.
    ///
    /// - Throws: ``StoreError`` with code `storeInUse` and the holder's process ID.
    init(_ path: StorePath) throws {
        do {
            descriptor = Lock(try Self.acquire(path))
        } catch let failure as SystemCalls.Failure {
            throw StoreError(
                .notPermitted,
                "The lock file \"\(path.lockFile)\" cannot be used: \(failure). Check its permissions and those of \"\(path.directory)\"."
            )
        }
    }

    deinit { release() }

    /// Gives the lock up.
    ///
    /// Calling it again does nothing.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                SystemCalls.unlock(open)
                SystemCalls.closeFile(open)
            }
            descriptor = nil
        }
    }

    private static func acquire(_ path: StorePath) throws -> Int32 {
        while true {
            let descriptor = try SystemCalls.openLockFile(path.lockFile)
            var isKept = false
            defer { if !isKept { SystemCalls.closeFile(descriptor) } }
            guard try SystemCalls.tryLock(descriptor) else {
                throw inUse(path, holder: SystemCalls.readText(descriptor))
            }
            // Somebody may have removed the file between opening and locking it.
            let locked = try SystemCalls.status(ofDescriptor: descriptor)
            guard let present = try SystemCalls.status(of: path.lockFile),
                present.inode == locked.inode, present.device == locked.device
            else { continue }
            try SystemCalls.writeText("\(SystemCalls.processID)\n", to: descriptor)
            isKept = true
            return descriptor
        }
    }

    private static func inUse(_ path: StorePath, holder: String) -> StoreError {
        let digits = holder.prefix { $0 != "\n" }
        let who =
            switch Int32(digits) {
            case SystemCalls.processID?: "this very process, \(SystemCalls.processID)"
            case let other?: "process \(other)"
            case nil: "another process"
            }
        return StoreError(
            .storeInUse,
            "\"\(path.file)\" is open for writing in \(who). Close it there, or open it read-only here, which is possible meanwhile."
        )
    }
}
