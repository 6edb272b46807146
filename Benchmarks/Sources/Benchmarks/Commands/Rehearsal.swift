import ArgumentParser
import BenchmarkReports
import Foundation
import PersistenceService
import Skiathos

/// What a query costs in a scratch space with pending changes.
struct Rehearsal: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures queries of a scratch space by the number of its pending changes.",
        discussion: """
            Half of the pending changes are new rows, half are changed ones. Beside the time of a \
            query it prints how long the connection that writes was held, in all and without a \
            pause, and what a plain read of the same takes.
            """)

    @Option(help: "How many rows the table has.")
    var rows = 100_000

    @Option(parsing: .upToNextOption, help: "The numbers of pending changes.")
    var pending = [0, 1, 10, 100, 1_000, 10_000]

    @Option(help: "How many queries of each kind; medians are printed.")
    var queries = 101

    func validate() throws {
        guard queries > 0, rows > 0, pending.allSatisfy({ (0...rows).contains($0) }) else {
            throw ValidationError("There must be queries, and no more pending changes than rows.")
        }
    }

    func run() throws {
        try withTemporaryDirectory { directory in
            let held = HeldConnection()
            let path = directory.appendingPathComponent("rehearsal.sqlite").path
            let dal = try DataAccessLayer(
                held.watching(.sqlite(path)), entities: User.self, Company.self)
            try fill(dal)
            print("pending  query        time       held  longest hold")
            for query in Question.allCases {
                let times = try measured(held) { try query.ask(dal) }
                print(line("read", query, times))
            }
            for count in pending {
                let service = StorePersistenceService(dal)
                try change(count, in: service)
                for query in Question.allCases {
                    let times = try measured(held) { try query.ask(service) }
                    print(line("\(count)", query, times))
                }
            }
            try dal.close()
        }
    }

    private func fill(_ dal: DataAccessLayer) throws {
        let numbers = 1...Int64(rows)
        try dal.write { context in
            for number in numbers {
                var user = User(number: number)
                user.company = nil
                try User.insert(user, in: context)
            }
        }
    }

    private func change(_ count: Int, in service: StorePersistenceService) throws {
        guard count > 0 else { return }
        let first = Int64(rows) + 1
        let numbers = first..<(first + Int64((count + 1) / 2))
        let ids = (1...Int64(max(1, count / 2))).map { User.ID(rawValue: $0) }
        try service.change { context in
            for number in numbers {
                var user = User(number: number)
                user.id = .unassigned
                user.company = nil
                try User.insert(user, in: context)
            }
            if count > 1 {
                for user in try User.find(ids, in: context).found { user.age += 1 }
            }
            return ((), .keep)
        }
    }

    /// Medians: of a query, of how long the connection was held in all, and without a pause.
    private func measured(
        _ held: HeldConnection, _ body: () throws -> Void
    ) throws -> [Duration] {
        var samples: [[Duration]] = [[], [], []]
        try body()
        for _ in 0..<queries {
            _ = held.take()
            let time = try ContinuousClock().measure { try body() }
            let (total, longest) = held.take()
            for (position, value) in [time, total, longest].enumerated() {
                samples[position].append(value)
            }
        }
        return samples.map { $0.sorted()[$0.count / 2] }
    }

    private func line(_ title: String, _ query: Question, _ times: [Duration]) -> String {
        let cells = times.map {
            String(format: "%9.1f µs", Double($0 / .nanoseconds(1)) / 1_000)
        }
        let name = query.rawValue.padding(toLength: 6, withPad: " ", startingAt: 0)
        return String(repeating: " ", count: max(0, 7 - title.count)) + title + "  " + name + " "
            + cells.joined(separator: " ")
    }
}

/// What is asked.
private enum Question: String, CaseIterable {
    /// One row by its ID.
    case point
    /// Twenty rows in the order of an indexed column.
    case page

    func ask(_ dal: DataAccessLayer) throws {
        switch self {
        case .point: _ = try dal.read { try User.find([1], in: $0) }
        case .page: _ = try dal.read { try Self.firstPage.query.all(in: $0) }
        }
    }

    func ask(_ service: StorePersistenceService) throws {
        switch self {
        case .point: _ = try service.fetch(User.self, ids: [1])
        case .page: _ = try service.fetch(Self.firstPage)
        }
    }

    private static var firstPage: FetchParameters<User> {
        FetchParameters(orderedBy: { [$0.email.ascending] }, limit: 20)
    }
}
