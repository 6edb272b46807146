import Foundation
import Skiathos

/// A contestant, its file, and what that holds.
final class Entrant {
    let kind: ContestantKind
    private(set) var contestant: any Contestant
    private var table = Workload.Table.empty
    private let path: String
    private let options: ContestantOptions
    private var wal: WALWatch?

    /// Makes a file with the schema and the companies, which is the same for all on SQLite.
    init(
        _ kind: ContestantKind, in directory: URL, options: ContestantOptions = ContestantOptions()
    ) throws {
        self.kind = kind
        self.options = options
        path = directory.appendingPathComponent("\(kind.rawValue).db").path
        try kind.type.makeFile(path)
        contestant = try kind.type.init(path: path, options: options)
    }

    /// Makes a file of SQLite with the schema and the companies.
    static func makeFile(_ path: String) throws {
        let dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
        try dal.write { context in
            for number in 1...Input.companies {
                try Company.create(in: context) { $0.name = "Company \(number)" }
            }
        }
        try dal.close()
    }

    /// Brings the table into the state that a workload needs.
    ///
    /// A contestant that checkpoints in the background has that behind it afterwards, as the others have: it is
    /// work of the preparation.
    func prepare(for workload: Workload, _ input: Input) throws {
        try contestant.promise(.committed)
        switch workload.needs {
        case .empty where table != .empty: try contestant.deleteAll()
        case .filled where table != .filled:
            if table != .empty { try contestant.deleteAll() }
            try fill(input)
        default: break
        }
        table = workload.needs
        if kind.type.hasWAL { try waitForRest() }
        if workload.startsCold { try reopen() }
    }

    /// Fills the table, which is empty.
    func fill(_ input: Input) throws {
        try contestant.insert(input.filling, Stopwatch())
        table = .filled
    }

    /// Runs a workload; `nil` if the contestant has no equivalent of it.
    func run(_ workload: Workload, _ input: Input) throws -> Workload.Outcome? {
        do {
            try prepare(for: workload, input)
            // Whatever throws has left the table in an unknown state.
            table = .other
            let outcome = try workload.run(self, input, Stopwatch())
            table = workload.leaves
            return outcome
        } catch is NotOffered {
            return nil
        }
    }

    /// The WAL of the store, which has been written to.
    func watchedWAL() throws -> WALWatch {
        let wal = try wal ?? WALWatch(path)
        self.wal = wal
        return wal
    }

    /// Waits until the WAL is checkpointed except for a rest, or syncs where there is none.
    ///
    /// A contestant that does so in the background, or leaves it to the next write, has to do it
    /// within the time that is measured, too.
    func waitForCheckpoint() throws {
        guard kind.type.hasWAL else { return try contestant.sync() }
        let wal = try watchedWAL()
        let deadline = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < deadline {
            if wal.state.pagesLeft <= WALWatch.allowedPages { return }
            usleep(20)
        }
        throw BenchmarkError(
            "\(kind.name) leaves \(wal.state.pagesLeft) pages in its WAL for longer than 30 s.")
    }

    /// Waits until the WAL is checkpointed except for a rest, or is left as it is, since a reader was in the way.
    private func waitForRest() throws {
        let wal = try watchedWAL()
        var (state, since) = (wal.state, ContinuousClock.now)
        while state.pagesLeft > WALWatch.allowedPages,
            ContinuousClock.now < since + .milliseconds(200)
        {
            usleep(200)
            let now = wal.state
            if now != state { (state, since) = (now, .now) }
        }
    }

    func close() throws {
        try contestant.close()
        wal = nil
    }

    private func reopen() throws {
        try close()
        contestant = try kind.type.init(path: path, options: options)
    }
}
