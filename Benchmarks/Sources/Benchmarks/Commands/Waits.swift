import ArgumentParser
import BenchmarkReports
import Foundation
import Skiathos
import Synchronization

/// The longest duration of a read beside a long call.
struct Waits: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures how long reads wait beside long writes.")

    @Option(help: "How long the closure of the long write takes, in seconds.")
    var closureSeconds = 10.0

    @Option(help: "How many rows the large write has.")
    var rows = 100_000

    func run() throws {
        try withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("waits.sqlite").path
            let dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
            try dal.write { context in
                try User.create(in: context)
            }
            try Waiter(dal: dal).run(closureSeconds: closureSeconds, rows: rows)
        }
    }
}

private struct Waiter {
    let dal: DataAccessLayer

    /// Measures and prints.
    func run(closureSeconds: Double, rows: Int) throws {
        print("longest of all point reads of one thread while")
        try measure("nothing else happens for a second") { Thread.sleep(forTimeInterval: 1) }
        try measure("the closure of a write takes \(closureSeconds) s") {
            try dal.write { (context: WriteContext) -> Void in
                try User.create(in: context) { $0.email = "closure" }
                Thread.sleep(forTimeInterval: closureSeconds)
            }
        }
        try measure("\(rows) rows are written in one write") {
            try dal.write { context in
                for number in 1...Int64(rows) {
                    var user = User(number: number + 10)
                    user.company = nil
                    try User.insert(user, in: context)
                }
            }
        }
        try measure("small writes return as merged for a second") {
            let end = ContinuousClock.now + .seconds(1)
            while ContinuousClock.now < end {
                try dal.write(acknowledging: .merged) { context in
                    try User.find(1, in: context)?.age += 1
                }
            }
        }
        try dal.close()
    }

    private func measure(_ title: String, _ body: () throws -> Void) throws {
        let isOver = Atomic(false)
        let longest = Mutex(Duration.zero)
        let count = Mutex(0)
        let end = DispatchGroup()
        end.enter()
        Thread.detachNewThread { [dal] in
            while !isOver.load(ordering: .relaxed) {
                let time = ContinuousClock().measure {
                    _ = try? dal.read { (context: ReadContext) -> Void in
                        _ = try User.find(1, in: context)
                    }
                }
                longest.withLock { $0 = max($0, time) }
                count.withLock { $0 += 1 }
            }
            end.leave()
        }
        let result = Result { try body() }
        isOver.store(true, ordering: .relaxed)
        end.wait()
        try result.get()
        let seconds = Format.seconds(longest.withLock { $0 } / .seconds(1))
        print("  \(title): \(seconds), of \(Format.count(count.withLock { $0 })) reads")
    }
}
