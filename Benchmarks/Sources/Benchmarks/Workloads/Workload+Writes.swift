import BenchmarkReports

extension Workload {
    /// W1: the whole table in one write.
    static func insertMany(_ sizes: Input.Sizes) -> Workload {
        let rows = Format.count(sizes.rows)
        return writing("W1", .writes, "insert \(rows) in one write", sizes, needs: .empty) {
            try $0.insert($1.filling, $2)
        }
    }

    /// W4: changes of the whole table, object by object.
    static func changes(_ sizes: Input.Sizes) -> [Workload] {
        let rows = Format.count(sizes.rows)
        return [
            writing("W4", .writes, "fetch, change one field, save \(rows)", sizes) {
                contestant, _, _ in try contestant.increaseAges()
            },
            writing(
                "W4h", .writes, "change and save \(rows) held objects (raw C: W4)", sizes,
                leaves: .other
            ) { contestant, _, watch in try contestant.increaseHeldAges(watch) },
        ]
    }

    /// D1, D2: the whole table goes.
    static func deletions(_ sizes: Input.Sizes) -> [Workload] {
        let rows = Format.count(sizes.rows)
        return [
            writing(
                "D1", .deletions, "delete \(rows) by a condition", sizes, remaining: 0
            ) { contestant, _, _ in try contestant.deleteByPredicate() },
            writing(
                "D2", .deletions, "delete \(rows) fetched objects one by one", sizes, remaining: 0
            ) { contestant, _, watch in try contestant.deleteOneByOne(watch) },
        ]
    }

    /// A write of the whole table, whose time ends when all but a little of the WAL is
    /// checkpointed.
    private static func writing(
        _ id: String, _ section: ReportLine.Section, _ title: String, _ sizes: Input.Sizes,
        needs: Table = .filled, leaves: Table = .filled, remaining: Int? = nil,
        _ body: @escaping (any Contestant, Input, Stopwatch) throws -> Void
    ) -> Workload {
        Workload(
            id: id, section: section, figures: [Figure(id: id, title: title, unit: "row")],
            needs: needs, leaves: remaining == 0 ? .empty : leaves
        ) { entrant, input, watch in
            let contestant = entrant.contestant
            watch.start()
            try body(contestant, input, watch)
            try entrant.waitForCheckpoint()
            watch.stop()
            try requireRows(remaining ?? sizes.rows, contestant, id)
            return Outcome(
                seconds: [watch.seconds / Double(sizes.rows)],
                checksum: try contestant.fetchAll(Stopwatch()))
        }
    }

    /// Throws unless the table has a number of rows.
    static func requireRows(_ count: Int, _ contestant: any Contestant, _ id: String) throws {
        let found = try contestant.rowCount()
        guard found == count else {
            throw BenchmarkError(
                "\(id): \(type(of: contestant).name) has \(found) rows, not \(count).")
        }
    }
}
