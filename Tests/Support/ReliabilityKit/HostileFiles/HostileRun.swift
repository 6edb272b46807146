import Dispatch
import Foundation
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestTools

/// Opens mutated files in every way, reads all of them, writes to them and checks them.
///
/// Each gives a `StoreError` or a working store; nothing traps or hangs, a refused file is as
/// it was, and a store that was found sound and was written to is sound afterwards.
package struct HostileRun: Sendable {
    /// What came of a run.
    package struct Result: Sendable {
        /// How many files were opened.
        package var mutants = 0
        /// How many could be opened for writing.
        package var opened = 0
        /// How many were found sound then.
        package var sound = 0
        /// How many were written to, were sound before, and were sound afterwards.
        package var written = 0
        /// How often each code was thrown.
        package var codes: [String: Int] = [:]
        /// What must not be.
        package var problems: [String] = []
        /// The longest time for one file, in milliseconds.
        package var longest = 0
    }

    /// Decides everything that is random.
    package var seed: UInt64
    /// How many mutants are opened.
    package var mutants = 300
    /// How long one may take.
    package var limit = 600

    /// Prepares a run.
    package init(seed: UInt64) { self.seed = seed }

    /// Opens the mutants, one after the other.
    package func run() throws -> Result {
        let corpus = try HostileCorpus.make()
        var random = SeededNumbers(seed: seed)
        var result = Result()
        for _ in 0..<mutants {
            let mutant = random.next()
            let files = corpus[random.below(corpus.count)]
            let start = ContinuousClock.now
            guard let trial = trial(mutant, files, corpus) else {
                result.problems.append(
                    "The mutant \(mutant) of the run \(seed) takes longer than \(limit) s.")
                return result
            }
            result.longest = max(
                result.longest, Int(start.duration(to: .now) / .milliseconds(1)))
            result.add(trial)
        }
        return result
    }

    /// Runs a trial on a thread of its own, and stops waiting after the limit.
    private func trial(
        _ mutant: UInt64, _ files: HostileFiles, _ corpus: [HostileFiles]
    ) -> HostileTrial? {
        let done = DispatchSemaphore(value: 0)
        let outcome = Lock<HostileTrial?>(nil)
        DispatchQueue.global().async {
            var mutation = HostileMutation(files, corpus, SeededNumbers(seed: mutant))
            mutation.mutate()
            var trial = HostileTrial(mutant: mutant, files: mutation.files)
            trial.perform()
            outcome.withLock { $0 = trial }
            done.signal()
        }
        guard done.wait(timeout: .now() + .seconds(limit)) == .success else { return nil }
        return outcome.withLock { $0 }
    }
}

extension HostileRun.Result {
    fileprivate mutating func add(_ trial: HostileTrial) {
        mutants += 1
        if trial.isOpened { opened += 1 }
        if trial.isSound { sound += 1 }
        if trial.isWritten { written += 1 }
        for code in trial.codes { codes[code, default: 0] += 1 }
        problems += trial.problems.map { "Mutant \(trial.mutant): \($0)" }
    }
}

/// What is done with one mutant.
struct HostileTrial: Sendable {
    let mutant: UInt64
    let files: HostileFiles
    private(set) var isOpened = false
    private(set) var isSound = false
    private(set) var isWritten = false
    private(set) var codes: [String] = []
    private(set) var problems: [String] = []

    /// The codes of files that are refused before anything is changed.
    private static let refusals: Set<StoreError.Code> = [
        .foreignDatabase, .newerStore, .notADatabase, .schemaMismatch,
    ]

    init(mutant: UInt64, files: HostileFiles) {
        self.mutant = mutant
        self.files = files
    }

    mutating func perform() {
        do {
            let directory = try TemporaryDirectory()
            let path = directory.file("store.sqlite")
            try files.write(to: path)
            let schema = try HostileCorpus.schema()
            let source = StoreSource.sqlite(path)
            attempt("plan") { _ in _ = try source.plan(schema, StoreOptions()) }
            attempt("read") { trial in
                let store = try source.open(
                    schema, StoreOptions(readerCount: 1, isReadOnly: true))
                trial.attempt("rows") { _ in try Self.read(store) }
                trial.attempt("check") { _ in _ = try Self.check(store) }
                try store.close()
            }
            let before = try main(path)
            var refusal: StoreError?
            attempt("write") { trial in
                do {
                    try trial.write(source, schema)
                } catch let error as StoreError {
                    if !trial.isOpened { refusal = error }
                    throw error
                }
            }
            if let refusal, Self.refusals.contains(refusal.code), try main(path) != before {
                problems.append("It was refused with \(refusal.code), and was changed.")
            }
            if isWritten { attempt("open again") { _ in try source.open(schema, .init()).close() } }
        } catch {
            problems.append("The trial itself fails: \(error)")
        }
    }

    private func main(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private mutating func write(_ source: StoreSource, _ schema: StoreSchema) throws {
        let store = try source.open(schema, StoreOptions(readerCount: 1))
        isOpened = true
        attempt("rows") { _ in try Self.read(store) }
        attempt("check") { trial in trial.isSound = try Self.check(store) == [] }
        var isComplete = false
        attempt("fill") { _ in
            try HostileCorpus.fill(store, from: 900, count: 5)
            isComplete = true
        }
        attempt("change") { _ in
            try store.writer.withSession { session in
                try session.begin()
                do {
                    _ = try session.delete(
                        FetchRequest(
                            entity: 0,
                            predicate: .comparison(.column(2), .equal, .value(.integer(3)))))
                    try session.checkReferences()
                    try session.commit()
                    try session.checkpoint()
                } catch {
                    try session.rollback()
                    throw error
                }
            }
        }
        if isSound {
            attempt("check again") { trial in
                let problems = try Self.check(store)
                trial.isWritten = isComplete && problems == []
                if problems != [] {
                    trial.problems.append("It was sound, and is not after writing: \(problems)")
                }
            }
        }
        try store.close()
    }

    private mutating func attempt(_ what: String, _ body: (inout HostileTrial) throws -> Void) {
        do {
            try body(&self)
        } catch let error as StoreError {
            codes.append("\(what): \(error.code)")
        } catch {
            problems.append("To \(what) throws what is no StoreError: \(error)")
        }
    }

    private static func check(_ store: any PersistentStore) throws -> [String] {
        try reader(store).read { try $0.integrityProblems() }
    }

    private static func reader(_ store: any PersistentStore) -> any StoreReader {
        store.readers.first ?? store.writer
    }

    /// Reads every value as the type of its column, and looks rows up in each way.
    private static func read(_ store: any PersistentStore) throws {
        try reader(store).read { session in
            for (number, entity) in store.schema.entities.enumerated() {
                let request = FetchRequest(entity: number)
                try session.fetch(request) { cursor in
                    while cursor.next() {
                        for column in entity.columns.indices {
                            _ = try? decode(cursor.row, number, column)
                        }
                    }
                }
                _ = try session.count(request)
                _ = try session.exists(request)
            }
            let requests = [
                FetchRequest(
                    entity: 0,
                    predicate: .match(.column(1), .prefix, .value(.text("shelf 1"))),
                    order: [.init(.column(2), descending: true)]),
                FetchRequest(entity: 1, predicate: .search(SearchTerms("words of 17"))),
                FetchRequest(
                    entity: 1,
                    predicate: .through(
                        3,
                        .comparison(
                            .column(2), .greater, .value(.integer(2))))),
            ]
            for request in requests {
                try session.fetch(request) { cursor in while cursor.next() {} }
            }
            try session.fetch(entity: 2, ids: [.text("label 3"), .text("none")]) { cursor in
                while cursor.next() {}
            }
        }
    }

    /// A value that cannot be decoded throws.
    private static func decode(_ row: RowReader, _ entity: Int, _ column: Int) throws {
        switch (entity, column) {
        case (0, 1), (1, 1), (2, 0): _ = try String(row: row, column: column)
        case (0, 3): _ = try Data(row: row, column: column)
        case (1, 2): _ = try Date(row: row, column: column)
        case (2, 1): _ = try Double(row: row, column: column)
        default: _ = try Int(row: row, column: column)
        }
    }
}
