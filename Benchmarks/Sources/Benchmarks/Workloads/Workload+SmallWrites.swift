import BenchmarkReports

extension Workload {
    /// W2, W3: users are inserted, each in a write of its own.
    static func smallWrites(_ sizes: Input.Sizes) -> [Workload] {
        func small(_ id: String, _ how: String, _ promise: Promise, _ crew: Inserting) -> Workload {
            let count = promise == .durable ? sizes.durableWrites : sizes.smallWrites
            let title = "\(Format.count(count)) small writes, \(how)"
            return timed(
                id, .writes, title, per: "write", units: count, needs: .empty, leaves: .other
            ) { contestant, input, watch in
                try contestant.promise(promise)
                watch.start()
                try crew.insert(input.users.prefix(count), promise, contestant)
                try contestant.settle()
                watch.stop()
                try requireRows(count, contestant, id)
                return try contestant.fetchAll(Stopwatch())
            }
        }
        return [
            small("W2", "committed, one thread", .committed, .threads(1)),
            small("W2a", "committed, await, one task", .committed, .tasks(1)),
            small("W2m", "visible, committed at the end, one thread", .visible, .threads(1)),
            small("W2d", "durable, one thread", .durable, .threads(1)),
            small("W3", "committed, 8 threads", .committed, .threads(8)),
            small("W3d", "durable, 8 threads", .durable, .threads(8)),
            small("W3t", "committed, 8 tasks", .committed, .tasks(8)),
            small("W3tm", "visible, committed at the end, 8 tasks", .visible, .tasks(8)),
            small("W3td", "durable, 8 tasks", .durable, .tasks(8)),
            small("W3t64", "committed, 64 tasks", .committed, .tasks(64)),
            small("W3td64", "durable, 64 tasks", .durable, .tasks(64)),
        ]
    }

    /// Who inserts.
    private enum Inserting {
        case threads(Int)
        case tasks(Int)

        func insert(
            _ users: ArraySlice<User>, _ promise: Promise, _ contestant: any Contestant
        ) throws {
            switch self {
            case .threads(let count):
                try Crew.threads(count) { number in
                    for index in stride(from: number, to: users.count, by: count) {
                        try contestant.insertAlone(users[index], promise)
                    }
                }
            case .tasks(let count):
                try Crew.tasks(count) { number in
                    for index in stride(from: number, to: users.count, by: count) {
                        try await contestant.insertAloneInTask(users[index], promise)
                    }
                }
            }
        }
    }
}
