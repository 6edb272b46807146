import Dispatch
import SkiathosCore
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Statements that are ended from outside.
extension StoreConformanceSuite {
    /// More rows than any backend finds between two looks at whether to go on.
    private static let count = 5_000

    var endingChecks: [ConformanceCheck] {
        [
            check("an interruption ends the running statement, and none that begins later") {
                shelf in
                try shelf.insertAuthors(upTo: Self.count)
                let reader = shelf.store.readers.first ?? shelf.store.writer
                var rows = 0
                _ = try requireError(.interrupted) {
                    try reader.read { session in
                        try session.fetch(FetchRequest(entity: shelf.author)) { cursor in
                            while cursor.next() {
                                if rows == 0 { reader.interrupt() }
                                rows += 1
                            }
                        }
                    }
                }
                try require((1..<Self.count).contains(rows), "\(rows) rows were passed")
                reader.interrupt()
                try requireEqual(try shelf.count(shelf.author), Self.count)
            },
            check("a statement that checks for cancellation ends with its task, and no other does")
            { shelf in
                // Checking is optional.
                guard let reader = shelf.store.readers.first, reader.supportsCancellationChecks
                else {
                    return
                }
                try shelf.insertAuthors(upTo: Self.count)
                let author = shelf.author
                try inTask {
                    func count(checkingCancellation: Bool) throws -> Int {
                        var rows = 0
                        try reader.read { session in
                            session.checksCancellation = checkingCancellation
                            defer { session.checksCancellation = false }
                            try session.fetch(FetchRequest(entity: author)) { cursor in
                                while cursor.next() {
                                    if rows == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                                    rows += 1
                                }
                            }
                        }
                        return rows
                    }
                    _ = try requireError(.interrupted) { _ = try count(checkingCancellation: true) }
                    // The task stays cancelled.
                    try requireEqual(try count(checkingCancellation: false), Self.count)
                }
            },
        ]
    }

    /// Runs a closure in a task of its own, and blocks until its end.
    private func inTask(_ body: @escaping @Sendable () throws -> Void) throws {
        let end = DispatchSemaphore(value: 0)
        let result = Lock<Result<Void, any Error>?>(nil)
        // Not on a thread of the pool, which this may block.
        Task(executorPreference: ShutdownExecutor.shared) {
            let found = Result { try body() }
            result.withLock { $0 = found }
            end.signal()
        }
        end.wait()
        try result.withLock { $0 }?.get()
    }
}

extension ConformanceStore {
    fileprivate func insertAuthors(upTo count: Int) throws {
        try write { session in
            try session.apply(
                (1...count).map { number in
                    .insert(
                        entity: author,
                        ValueRows([.integer(Int64(number)), .text("\(number)")]))
                })
        }
    }
}
