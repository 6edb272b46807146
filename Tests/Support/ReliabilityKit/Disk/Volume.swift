internal import FaultVFS
import SkiathosLocks
import SkiathosStore
import Synchronization

/// A directory whose files SQLite reaches through a file system that can fail, and that remembers
/// what a loss of power would leave.
///
/// Nothing in it is really synced while it is watched, so it is fast.
package final class Volume: @unchecked Sendable {
    // Sendable: the volume locks itself, and the pointer never changes.

    /// What is done to a file.
    package enum Operation: Sendable, CaseIterable {
        case open, read, write, sync, truncate, delete, sharedMemory, lock
    }

    /// Kinds of files of a store.
    package struct Files: OptionSet, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        package static let main = Files(rawValue: 1)
        package static let wal = Files(rawValue: 2)
        package static let journal = Files(rawValue: 4)
        package static let witness = Files(rawValue: 8)
        package static let reserve = Files(rawValue: 16)
        package static let all: Files = [.main, .wal, .journal, .witness, .reserve]
    }

    /// Mistakes that a test plants, to see that it would notice them.
    package struct Lies: OptionSet, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        /// Syncing the WAL reports success and does nothing.
        package static let walSync = Lies(rawValue: 1)
        /// Syncing the main file reports success and does nothing.
        package static let mainSync = Lies(rawValue: 2)
        /// The directory is never synced.
        package static let directorySync = Lies(rawValue: 4)
        /// A failing sync of the WAL reports success.
        package static let failedWALSync = Lies(rawValue: 8)
        /// A failing sync of the main file reports success.
        package static let failedMainSync = Lies(rawValue: 16)
        /// The mark that says how far a WAL was checkpointed cannot be set back.
        package static let checkpointMark = Lies(rawValue: 32)
    }

    let pointer: OpaquePointer
    /// All hooks that were ever set, since one may still be running.
    private let hooks = Lock<[Hook]>([])
    /// The watched directory.
    package let directory: String

    /// Watches a directory in which no store is open.
    package init(_ directory: String) throws {
        guard fault_vfs_install() == 0, let pointer = fault_volume_create(directory) else {
            throw UnusableDirectory(path: directory)
        }
        self.pointer = pointer
        self.directory = directory
    }

    deinit { fault_volume_free(pointer) }

    /// A directory that is not there.
    package struct UnusableDirectory: Error {
        /// Where it should be.
        package let path: String
    }

    /// The path of the store that every run uses.
    package var path: String { directory + "/" + Self.storeName }
    package static let storeName = "store.sqlite"

    /// How many changes and promises were noted.
    package var length: Int { Int(fault_volume_length(pointer)) }
    /// How many operations have failed by plan.
    package var failures: Int { Int(fault_volume_failures(pointer)) }

    /// Notes that something was promised at this moment.
    func mark(_ promise: Int) { fault_volume_mark(pointer, Int64(promise)) }
    /// Whether changes are remembered.
    package func record(_ isOn: Bool) { fault_volume_record(pointer, isOn) }
    /// Plants mistakes.
    package func lie(_ lies: Lies) { fault_volume_lie(pointer, lies.rawValue) }
    /// How many bytes fit; `nil` for any number.
    package func limit(_ bytes: Int?) { fault_volume_limit(pointer, Int64(bytes ?? -1)) }

    /// Calls a closure before each operation, on its thread; it may block.
    package func hook(_ body: @escaping @Sendable (Operation, Files) -> Void) {
        let hook = Hook(body: body)
        hooks.withLock { $0.append(hook) }
        fault_volume_set_hook(
            pointer,
            { context, operation, file in
                guard let context else { return }
                Unmanaged<Hook>.fromOpaque(context).takeUnretainedValue()
                    .body(Operation.allCases[Int(operation.rawValue)], Files(rawValue: file))
            }, Unmanaged.passUnretained(hook).toOpaque())
    }

    private final class Hook: Sendable {
        let body: @Sendable (Operation, Files) -> Void

        init(body: @escaping @Sendable (Operation, Files) -> Void) { self.body = body }
    }

    /// How many operations there were, failed ones included.
    package func count(_ operation: Operation, _ files: Files = .all) -> Int {
        Int(fault_volume_count(pointer, operation.code, files.rawValue))
    }

    /// Makes operations fail from now on; `nil` ends that.
    package func fail(_ fault: Fault?) {
        guard let fault else { return fault_volume_fail(pointer, nil) }
        var plan = fault_plan()
        plan.operation = fault.operation.code
        plan.files = fault.files.rawValue
        plan.after = Int64(fault.after)
        plan.times = fault.isForEver ? -1 : 1
        plan.result = fault.result
        plan.is_partial = fault.isPartial
        fault_volume_fail(pointer, &plan)
    }
}

/// Which operation of a volume fails, and how.
package struct Fault: Sendable, Hashable {
    /// What is done.
    package var operation: Volume.Operation
    /// To which files.
    package var files = Volume.Files.all
    /// How many such operations succeed first.
    package var after = 0
    /// Whether all fail that follow, and not just one.
    package var isForEver = false
    /// SQLite's extended result code.
    package var result: Int32
    /// Whether the first half of a failing write reaches the file.
    package var isPartial = false

    /// Makes a fault.
    package init(
        _ operation: Volume.Operation, _ files: Volume.Files = .all, after: Int = 0,
        isForEver: Bool = false, result: Int32, isPartial: Bool = false
    ) {
        self.operation = operation
        self.files = files
        self.after = after
        self.isForEver = isForEver
        self.result = result
        self.isPartial = isPartial
    }
}

extension Volume.Operation {
    fileprivate var code: fault_operation {
        switch self {
        case .open: FAULT_OPEN
        case .read: FAULT_READ
        case .write: FAULT_WRITE
        case .sync: FAULT_SYNC
        case .truncate: FAULT_TRUNCATE
        case .delete: FAULT_DELETE
        case .sharedMemory: FAULT_SHARED_MEMORY
        case .lock: FAULT_LOCK
        }
    }
}
