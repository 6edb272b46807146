import Skiathos
import SkiathosLocks

/// A way in which a task uses a store; those that say `blocking` block a thread of the pool of
/// Swift's tasks.
package enum AccessKind: String, CaseIterable, Sendable {
    case blockingRead, read
    case blockingWrite, write, durableWrite, enqueuedWrite, writeWithCompletion
    case blockingFlush, flush
    case blockingBackup, backup
    case blockingRestore, restore
    case blockingReset, reset
    case blockingClose, close, shutDown

    /// Uses a store once.
    ///
    /// - Parameters:
    ///   - backup: A backup that can be restored.
    ///   - copy: Where a new one is made.
    func use(_ dal: DataAccessLayer, backup: String, copy: String) async throws {
        switch self {
        case .blockingRead: try blockingRead(dal)
        case .read: _ = try await dal.read { _ = try Item.count(in: $0) }
        case .blockingWrite: try blockingWrite(dal)
        case .write: _ = try await dal.write { try Self.change($0) }
        case .durableWrite:
            _ = try await dal.write(acknowledging: .durable) { try Self.change($0) }
        case .enqueuedWrite: dal.enqueue { try Self.change($0) }
        case .writeWithCompletion:
            try await withThrowingContinuation { continuation in
                dal.write {
                    try Self.change($0)
                } completion: { (result: Result<Void, any Error>) in
                    continuation.resume(with: result)
                }
            }
        case .blockingFlush: try blockingFlush(dal)
        case .flush: try await dal.flush()
        case .blockingBackup: try blockingBackup(dal, copy)
        case .backup: try await dal.backUp(to: copy, overwriting: true)
        case .blockingRestore: try blockingRestore(dal, backup)
        case .restore: try await dal.restore(from: backup)
        case .blockingReset: try blockingReset(dal)
        case .reset: _ = try await dal.reset()
        case .blockingClose: try blockingClose(dal)
        case .close: try await dal.close()
        case .shutDown: _ = await dal.shutDown()
        }
    }

    /// Whether the store is closed by it.
    var closes: Bool { [.blockingClose, .close, .shutDown].contains(self) }

    private static func change(_ context: WriteContext) throws {
        let id = Item.ID(rawValue: "item")
        if let item = try Item.find(id, in: context) {
            item.sequence += 1
        } else {
            try Item.create(id: id, in: context)
        }
    }

    // Plain functions, in which nothing tells the compiler that a task is around them.

    private func blockingRead(_ dal: DataAccessLayer) throws {
        _ = try dal.read { _ = try Item.count(in: $0) }
    }

    private func blockingWrite(_ dal: DataAccessLayer) throws {
        _ = try dal.write { try Self.change($0) }
    }

    private func blockingFlush(_ dal: DataAccessLayer) throws { try dal.flush() }

    private func blockingBackup(_ dal: DataAccessLayer, _ path: String) throws {
        try dal.backUp(to: path, overwriting: true)
    }

    private func blockingRestore(_ dal: DataAccessLayer, _ path: String) throws {
        try dal.restore(from: path)
    }

    private func blockingReset(_ dal: DataAccessLayer) throws { _ = try dal.reset() }

    private func blockingClose(_ dal: DataAccessLayer) throws { try dal.close() }
}
