import BenchmarkReports

extension Workload {
    /// R2: single rows by their ID, scattered over the table.
    static func pointReads(_ sizes: Input.Sizes) -> [Workload] {
        let reads = Format.count(sizes.reads)
        return [
            timed(
                "R2", .reads, "\(reads) point reads in one closure", per: "read",
                units: sizes.reads, startsCold: true
            ) { contestant, input, watch in
                try warmUp(contestant, watch)
                return try contestant.readInOneClosure(input.ids)
            },
            timed(
                "R2b", .reads, "\(reads) point reads, a closure each, cold", per: "read",
                units: sizes.reads, startsCold: true
            ) { contestant, input, watch in
                try warmUp(contestant, watch)
                return try readEach(contestant, input)
            },
            timed(
                "R2bw", .reads,
                "\(reads) reads of \(Format.count(warmRows)) rows that were read before",
                per: "read", units: sizes.reads
            ) { contestant, input, watch in
                for id in input.ids.prefix(warmRows) { _ = try contestant.read(id, as: 0) }
                watch.start()
                var sum: Int64 = 0
                for index in 0..<input.ids.count {
                    let id = input.ids[index % min(warmRows, input.ids.count)]
                    sum &+= try contestant.read(id, as: 0)
                }
                return sum
            },
            asynchronous(sizes),
        ]
    }

    /// As many rows as a cache of the default size holds well.
    private static let warmRows = 5_000

    private static func asynchronous(_ sizes: Input.Sizes) -> Workload {
        let title = "\(Format.count(sizes.reads)) point reads with await, one task, cold"
        return Workload(
            id: "R2a", section: .reads,
            figures: [
                Figure(id: "R2a", title: title, unit: "read"),
                Figure(
                    id: "R2a/R2b", title: "R2a relative to the contestant's own R2b", unit: "read",
                    kind: .ownTime, base: "R2b"),
            ], startsCold: true
        ) { entrant, input, watch in
            let contestant = entrant.contestant
            try warmUp(contestant, watch)
            let checksum = try waiting {
                watch.start()
                var sum: Int64 = 0
                for id in input.ids { sum &+= try await contestant.readInTask(id, as: 0) }
                watch.stop()
                return sum
            }
            let seconds = watch.seconds / Double(sizes.reads)
            return Outcome(seconds: [seconds, seconds], checksum: checksum)
        }
    }

    /// Has the file open and the pages in memory that fit there, without a look at rows by their ID.
    private static func warmUp(_ contestant: any Contestant, _ watch: Stopwatch) throws {
        _ = try contestant.countAdults()
        watch.start()
    }

    private static func readEach(_ contestant: any Contestant, _ input: Input) throws -> Int64 {
        var sum: Int64 = 0
        for id in input.ids { sum &+= try contestant.read(id, as: 0) }
        return sum
    }
}
