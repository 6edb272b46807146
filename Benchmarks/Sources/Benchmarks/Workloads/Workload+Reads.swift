import BenchmarkReports

extension Workload {
    /// R1: the whole table at once.
    static func wholeTable(_ sizes: Input.Sizes) -> [Workload] {
        let rows = Format.count(sizes.rows)
        return [
            timed("R1", .reads, "fetch all \(rows) as values", per: "row", units: sizes.rows) {
                try $0.fetchAll($2)
            },
            timed(
                "R1w", .reads, "fetch all \(rows) as objects of a write (raw C: as values)",
                per: "row", units: sizes.rows
            ) { try $0.fetchObjects(held: false, $2) },
            timed(
                "R1wh", .reads, "the same, which are held already (raw C: as values)",
                per: "row", units: sizes.rows
            ) { try $0.fetchObjects(held: true, $2) },
        ]
    }

    /// R3 to R5: queries.
    static func queries(_ sizes: Input.Sizes) -> [Workload] {
        let rows = Format.count(sizes.rows)
        let found = Format.count(sizes.rows / Int(Input.companies))
        func repeated(
            _ id: String, _ title: String, _ count: Int,
            _ body: @escaping (any Contestant, Int64) throws -> Int64
        ) -> Workload {
            timed(id, .reads, title, per: "query", units: count) { contestant, input, _ in
                try input.companyIDs.prefix(count).reduce(0) { try $0 &+ body(contestant, $1) }
            }
        }
        return [
            repeated("R3", "fetch \(found) rows by an indexed column", sizes.queries) {
                try $0.fetch(ofCompany: $1)
            },
            repeated("R4", "fetch the first 50 by an index", sizes.queries) { contestant, _ in
                try contestant.fetchFirstByEmail(50)
            },
            repeated("R4b", "fetch the first 50 of \(rows) sorted", sizes.longQueries) {
                contestant, _ in try contestant.fetchFirstByLastname(50)
            },
            repeated("R5", "count by looking at \(rows) rows", sizes.longQueries) {
                contestant, _ in try contestant.countAdults()
            },
            repeated("R5b", "count \(found) rows through an index", sizes.queries) {
                try $0.count(ofCompany: $1)
            },
        ]
    }

    /// R6: users with the names of their companies.
    static func relations(_ sizes: Input.Sizes) -> [Workload] {
        let users = Format.count(sizes.related)
        let repetitions = 20
        func repeated(
            _ id: String, _ title: String, _ body: @escaping (any Contestant) throws -> Int64
        ) -> Workload {
            timed(id, .reads, title, per: "user", units: sizes.related * repetitions) {
                contestant, _, _ in
                try (0..<repetitions).reduce(0) { sum, _ in try sum &+ body(contestant) }
            }
        }
        return [
            repeated("R6", "\(users) users and their companies: join, prefetched") {
                try $0.fetchWithCompanies(sizes.related)
            },
            repeated("R6l", "the same as a plain loop (raw C: join)") {
                try $0.fetchThenCompanies(sizes.related)
            },
        ]
    }
}
