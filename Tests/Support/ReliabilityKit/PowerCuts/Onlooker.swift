import Dispatch
import Skiathos
import SkiathosCore
import SkiathosLocks
import SkiathosTesting
import Synchronization

/// A read-only store that stays attached to a file while its writer closes and opens it.
///
/// SQLite keeps the index of the WAL, with the mark that says how far the WAL was checkpointed, for
/// as long as any connection is attached. A long read keeps a checkpoint from getting to the end of
/// the WAL.
final class Onlooker: Sendable {
    private let dal: DataAccessLayer
    private let reads = DispatchQueue(label: "onlooker")
    /// Ends the running read.
    private let end = DispatchSemaphore(value: 0)
    /// Whether a read is running; used by one task at a time.
    private let isHolding = Lock(false)

    /// Attaches to a store that is there.
    init(_ path: String) async throws {
        var configuration = Configuration()
        configuration.isReadOnly = true
        configuration.readerCount = 1
        dal = try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
    }

    /// Begins a read, and returns when it has its snapshot.
    func hold() async {
        isHolding.withLock { $0 = true }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        reads.async { [dal, end] in
            // A disk that fails may refuse the read; then nothing holds the checkpoint.
            _ = try? dal.read { context in
                _ = try Item.count(in: context)
                begin.yield()
                end.wait()
            }
            begin.finish()
        }
        for await _ in begun { return }
    }

    /// Ends the running read, if there is one.
    func release() async {
        guard
            isHolding.withLock({ isHolding in
                defer { isHolding = false }
                return isHolding
            })
        else { return }
        end.signal()
        await withContinuation { done in reads.async { done.resume() } }
    }

    func close() async throws {
        await release()
        try await dal.close()
    }
}
