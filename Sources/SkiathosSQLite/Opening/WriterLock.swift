import SkiathosLocks
import SkiathosStore
import Synchronization

/// The right to write a store, held by at most one store object of one process at a time.
///
/// The lock is advisory and on a file of its own, which stays: if it were unlinked and created again,
/// two processes could lock one each, until each of them compares its file with that at the path.
final class WriterLock: Sendable {
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
        } catch let failure as SystemCalls.Failure where failure.isOtherKind {
            throw Self.strange(path, "a symbolic link, a directory or the like")
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
        if let newFile, descriptor.withLock({ $0 }) != nil { SystemCalls.unlink(newFile) }
        release()
    }

    /// Releases the lock.
    ///
    /// Calling it again has no effect.
    func release() {
        descriptor.withLock { descriptor in
            if let open = descriptor {
                SystemCalls.unlock(open)
                SystemCalls.closeFile(open)
            }
            descriptor = nil
        }
    }

    private static func acquire(_ path: StorePath) throws -> (Int32, previous: Holder) {
        let main = try SystemCalls.status(of: path.file) == nil ? nil : path.file
        while true {
            let descriptor = try SystemCalls.openLockFile(path.lockFile, like: main)
            var isKept = false
            defer { if !isKept { SystemCalls.closeFile(descriptor) } }
            let locked = try SystemCalls.status(ofDescriptor: descriptor)
            guard locked.isRegularFile else { throw strange(path, "not a regular file") }
            guard locked.linkCount <= 1 else { throw strange(path, "a file with other names") }
            guard try SystemCalls.tryLock(descriptor) else {
                throw inUse(path, holder: SystemCalls.readText(descriptor))
            }
            // Another program may have removed the file between opening and locking it.
            guard let present = try SystemCalls.status(of: path.lockFile),
                present.inode == locked.inode, present.device == locked.device
            else { continue }
            guard let previous = Holder(SystemCalls.readText(descriptor)) else {
                throw strange(path, "a file with other content than a process ID")
            }
            let holder = Holder(
                processID: SystemCalls.processID, bootID: SystemCalls.bootID)
            try SystemCalls.writeText(holder.text, to: descriptor)
            isKept = true
            return (descriptor, previous)
        }
    }

    /// The content of a lock file: empty, a process ID, or a process ID and a boot ID.
    private struct Holder {
        var processID: Int32?
        var bootID: String?

        init(processID: Int32, bootID: String?) {
            self.processID = processID
            self.bootID = bootID
        }

        /// Reads the content of a lock file; `nil` if it is that of another file.
        init?(_ content: String) {
            let fields = content.split(separator: "\n", omittingEmptySubsequences: false)
            guard content.isEmpty || (fields.count == 2 && fields[1].isEmpty) else { return nil }
            let words = (fields.first ?? "").split(separator: " ")
            guard words.count <= 2, words.first?.allSatisfy({ ("0"..."9").contains($0) }) != false,
                words.dropFirst().allSatisfy({ word in
                    word.utf8.count == 36 && word.allSatisfy { $0.isHexDigit || $0 == "-" }
                })
            else { return nil }
            processID = words.first.flatMap { Int32($0) }
            bootID = words.dropFirst().first.map { String($0) }
        }

        var text: String {
            [processID.map { "\($0)" }, bootID].compactMap { $0 }.joined(separator: " ") + "\n"
        }
    }

    private static func strange(_ path: StorePath, _ kind: String) -> StoreError {
        StoreError(
            .invalidPath,
            "\"\(path.lockFile)\", where the lock of the store belongs, is \(kind). It was left as it was. Move it away, or choose another path for the store."
        )
    }

    private static func inUse(_ path: StorePath, holder: String) -> StoreError {
        let who =
            switch Holder(holder)?.processID {
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
