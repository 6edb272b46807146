import Dispatch
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Admits reads and writes in their order, gives each its connection and context, and closes
/// everything in order.
final class AccessCoordinator: Sendable {
    let store: any PersistentStore
    /// `Configuration.label` of the store.
    let label: String
    /// What reads see.
    let main: MainContext
    /// The slots of `main` and its gate, which are found without retaining them: a read whose row is
    /// cached takes hardly longer than a few retains.
    let slots: Unmanaged<ReaderSlots>
    let readGate: Unmanaged<AdmissionGate>
    /// What writes go through.
    let rootWriter: RootWriter
    /// The open batch of the root writer.
    let commits: GroupCommit
    /// Whether reads have connections of their own.
    let connections: ConnectionMode
    /// Whether the statements of reads check the task that waits for them for cancellation.
    ///
    /// Not where reads share the connection of writes: commits on it must not end with the task of a read.
    let supportsCancellationChecks: Bool
    let reportFailure: @Sendable (BackgroundFailure) -> Void
    let defaultLevel: Acknowledgement
    let shutdownDeadline: Duration
    let shutdownGrace: ShutdownGrace

    /// Admits one copy of the store at a time.
    let copies: AdmissionGate
    let metrics: StoreMetrics?
    let monitor: StoreMonitor
    /// Records accesses; `nil` unless statements are logged or accesses traced.
    let observer: AccessObserver?
    /// What the monitor watches for as long as this object lives.
    private let watched: StoreMonitor.Subject
    /// Whether the store has closed its files.
    ///
    /// Set only by the holder of every slot of both gates.
    let isStoreClosed = Lock(false)
    /// For the reports of shutdowns; never held for long, other than `isStoreClosed`.
    let closing = Lock(ClosingProgress())

    /// How many closures of writes are running.
    let running = Atomic<Int>(0)

    /// How many closures are running.
    var runningCount: Int {
        running.load(ordering: .relaxed)
            + (connections == .single ? 0 : main.gate.insideCount)
    }

    /// Holds the writes whose completion has not been called yet.
    let completions = DispatchGroup()

    /// Where completions are called: one of the store's own, so that a completion may wait for what
    /// another store does.
    let completionQueue = DispatchQueue(label: "skiathos.completions")

    /// The number of calls that a shutdown has refused.
    let refused = Atomic<Int>(0)

    private let forkGuard = ForkGuard.shared
    private let forkGeneration: Int

    init(
        store: any PersistentStore, logger: StatementLogger?, traits: [EntityTraits],
        configuration: Configuration, monitor: StoreMonitor
    ) throws {
        self.store = store
        reportFailure = configuration.errorHandler
        metrics = monitor.metrics
        self.monitor = monitor
        label = configuration.label
        observer = AccessObserver(logger, configuration)
        defaultLevel = configuration.acknowledgement
        shutdownDeadline = configuration.shutdownDeadline
        shutdownGrace = configuration.shutdownGrace
        copies = AdmissionGate(
            capacity: 1, jobLimit: 0, label: "skiathos.copies",
            patience: configuration.shutdownDeadline)
        let stop = CancellationFlag()
        let permits = AdmissionGate(
            capacity: 1, jobLimit: configuration.maximumWaitingWrites, label: "skiathos.writes",
            patience: configuration.shutdownDeadline, metrics: metrics?.writeQueue)
        main = try MainContext(
            store: store, traits: traits, permits: permits, stop: stop,
            configuration: configuration, metrics: metrics, completions: completions)
        slots = .passUnretained(main.slots)
        readGate = .passUnretained(main.gate)
        rootWriter = try RootWriter(
            store: store, main: main, permits: permits, stop: stop, traits: traits,
            configuration: configuration, metrics: metrics, statements: logger)
        commits = rootWriter.commits
        connections = rootWriter.connections
        supportsCancellationChecks =
            connections == .pool && store.readers.allSatisfy(\.supportsCancellationChecks)
        watched = StoreMonitor.Subject(reads: main.gate, commits: commits)
        monitor.watch(watched)
        forkGeneration = forkGuard.generation
    }

    deinit {
        guard !isForked else {
            // In a child the store is kept for ever: closing it would release the parent's
            // lock and checkpoint the WAL of a file that the parent uses.
            _ = Unmanaged.passRetained(store as AnyObject)
            return
        }
        // No access can be under way, since each access holds the coordinator.
        do {
            try closeStore()
        } catch {
            reportFailure(BackgroundFailure(operation: .close, error: error))
        }
    }

    /// Whether this process is a child of the one that has opened the store.
    var isForked: Bool { forkGuard.generation != forkGeneration }

    /// Throws where an access would wait for itself or harm the file.
    func requireUsable(for kind: AccessScope.Kind) throws {
        guard !isForked else { throw Self.forked }
        try AccessScope.requireOutside(self, for: kind)
    }

    private static var forked: DataAccessError {
        DataAccessError(
            .forkedProcess,
            "The process was forked after the store was opened. A child must open the store itself; using the parent's connection can corrupt the file."
        )
    }

    /// Runs the closure of an access that writes, which counts as running meanwhile.
    func run<R>(_ kind: AccessScope.Kind, _ body: () throws -> R) rethrows -> R {
        running.wrappingAdd(1, ordering: .relaxed)
        defer { running.wrappingSubtract(1, ordering: .relaxed) }
        return try AccessScope.run(
            kind, of: self, holding: .passUnretained(rootWriter.permits), body)
    }

    /// Closes the files, once.
    func closeStore() throws {
        try isStoreClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            closing.withLock { $0.drained() }
            main.otherProcesses?.end()
            // The files are closed even if the last bookkeeping fails, and either error is
            // reported.
            let finishing = Result { try commits.finish() }
            let result = Result { try store.close() }.flatMap { finishing }
            closing.withLock { $0.end(result, loss: commits.takeUnreportedFailure()) }
            main.end()
            try result.get()
        }
    }
}
