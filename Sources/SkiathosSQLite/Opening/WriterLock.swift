import SkiathosLocks
import SkiathosStore
import Synchronization

/// The right to write a store, held by at most one store object of one process at a time.
///
/// The lock is advisory and on a file of its own, which stays: if it were unlinked and created again,
/// two processes could lock one each, until each of them compares its file with that at the path.
final class WriterLock: Sendable {
    /// The lock files that this process holds.
    private static let held = Lock<[SystemCalls.FileStatus]>([])

    /// The open lock file; `nil` once the lock was released.
    private let descriptor: Lock<Int32?>
    /// The path of a lock file that was made or had no holder before.
    private let newFile: String?

    /// Whether the previous holder of the lock ran since the machine was started.
    let isSameBoot: Bool

    /// Acquires the lock, or fails at once.
    ///
    /// The lock file says which process has the lock, and since which start of the machine it runs.
    ///
    /// - Throws: ``StoreError`` with code `storeInUse` and the holder's process ID, or `invalidPath`
    ///   if the lock file is none of ours.
    init(_ path: StorePath) throws {
        do {
            let (descriptor, previous) = try Self.acquire(path)
            self.descriptor = Lock(descriptor)
            newFile = previous.processID == nil ? path.lockFile : nil
            isSameBoot = previous.bootID != nil && previous.bootID == SystemCalls.bootID
        } catch let failure as SystemCalls.Failure {
            throw failure.error("The lock file \"\(path.lockFile)\" cannot be used")
        }
    }

    deinit { release() }

    /// Releases the lock of a store that was refused, and removes the file if no process had it before.
    ///
    /// It is removed while it is locked. A process that has opened it before finds another file at the
    /// path, or none, and opens that.
    func discard() {
        if let newFile, let open = descriptor.withLock({ $0 }),
            let file = try? SystemCalls.status(ofDescriptor: open)
        {
            SystemCalls.unlink(newFile, ifOf: file)
        }
        release()
    }

    /// Releases the lock.
    ///
    /// Calling it again has no effect.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                if let file = try? SystemCalls.status(ofDescriptor: open) {
                    Self.held.withLock { $0.removeAll { $0.isSameFile(as: file) } }
                }
                SystemCalls.unlock(open)
                SystemCalls.closeFile(open)
            }
            descriptor = nil
        }
    }

    private static func acquire(_ path: StorePath) throws -> (Int32, previous: Holder) {
        let main = try SystemCalls.status(of: path.file) == nil ? nil : path.file
        let side = path.sideFile(.lock)
        while true {
            // Before it is opened, to which some devices react.
            try side.requireOurs()
            let descriptor = try SystemCalls.openSideFile(side.path, like: main)
            var isKept = false
            defer { if !isKept { SystemCalls.closeFile(descriptor) } }
            let finding = try side.find(in: descriptor)
            if case .strange(let reason) = finding { throw side.refusal(reason) }
            guard try SystemCalls.tryLock(descriptor) else {
                throw inUse(path, finding, try SystemCalls.status(ofDescriptor: descriptor))
            }
            let locked = try SystemCalls.status(ofDescriptor: descriptor)
            // Another program may have removed the file between opening and locking it.
            guard let present = try SystemCalls.ownStatus(of: side.path),
                present.isSameFile(as: locked)
            else { continue }
            // Again: it may have had another holder until now.
            let previous = Holder(try side.find(in: descriptor))
            let holder = Holder(
                processID: SystemCalls.processID, bootID: SystemCalls.bootID)
            try SystemCalls.writeText(holder.text, to: descriptor)
            if previous.processID == nil { try sync(descriptor, path) }
            held.withLock { $0.append(locked) }
            isKept = true
            return (descriptor, previous)
        }
    }

    /// Syncs a file that was made, or torn, and its name.
    ///
    /// Later holders overwrite it in place, so that no loss of power leaves it with old content of the disk.
    private static func sync(_ descriptor: Int32, _ path: StorePath) throws {
        try SystemCalls.syncFile(descriptor)
        try SystemCalls.syncDirectory(path.directory)
    }

    private static func inUse(
        _ path: StorePath, _ finding: SideFile.Finding, _ file: SystemCalls.FileStatus
    ) -> StoreError {
        StoreError(
            .storeInUse,
            "\"\(path.file)\" is open for writing in \(holder(finding, file)). Close it there, or open it read-only here, which is possible meanwhile."
        )
    }

    /// The process that has the lock, in words.
    ///
    /// The number of a process means something where its container is the same.
    private static func holder(
        _ finding: SideFile.Finding, _ file: SystemCalls.FileStatus
    ) -> String {
        let own = SystemCalls.processID
        if held.withLock({ $0.contains { $0.isSameFile(as: file) } }) {
            return "this very process, \(own)"
        }
        guard let other = Holder(finding).processID else { return "another process" }
        if other == own { return "process \(other) of another container" }
        return SystemCalls.isRunning(other)
            ? "process \(other)"
            : "process \(other), which is not running here: it is in another container, or has ended and left the lock to a process that it has started"
    }
}
