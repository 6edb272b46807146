internal import FaultVFS
import Foundation

/// What happens to the store of a ``JoinedBatchRun``.
package enum JoinedBatchTrouble: Sendable, Hashable {
    /// An operation on a file fails.
    case fault(Fault)
    /// The bytes of a page of the main file are other ones, until the store is opened again.
    case damage(page: Int)
    /// An allocation of SQLite fails, of the whole process: after some, once or for ever.
    case memory(after: Int, isForEver: Bool)

    static let pageSize = 4_096

    var isDamage: Bool { if case .damage = self { true } else { false } }

    func begin(_ volume: Volume) throws {
        switch self {
        case .fault(let fault): volume.fail(fault)
        case .damage(let page): try Self.exchange(page, volume)
        case .memory(let count, let isForEver):
            fault_memory_fail(Int64(count), isForEver ? -1 : 1)
        }
    }

    func end(_ volume: Volume) throws {
        switch self {
        case .fault: volume.fail(nil)
        case .damage(let page): try Self.exchange(page, volume)
        case .memory: fault_memory_fail(-1, 0)
        }
    }

    /// Whether anything may have failed by now.
    func hasFailed(_ volume: Volume) -> Bool {
        switch self {
        case .fault: volume.failures > 0
        case .damage: true
        case .memory: fault_memory_failures() > 0
        }
    }

    /// How many operations there were of the kind that fails.
    func operations(_ volume: Volume) -> Int {
        switch self {
        case .fault(let fault): volume.count(fault.operation, fault.files)
        case .damage: 0
        case .memory: Int(fault_memory_count())
        }
    }

    /// Inverts the bits of the header of a page; done twice, it is as before.
    private static func exchange(_ page: Int, _ volume: Volume) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: volume.path))
        defer { try? file.close() }
        let offset = UInt64((page - 1) * pageSize)
        try file.seek(toOffset: offset)
        let bytes = try file.read(upToCount: 8) ?? Data()
        try file.seek(toOffset: offset)
        try file.write(contentsOf: Data(bytes.map { ~$0 }))
    }
}
