import SkiathosStore

/// A meter that counts, and refuses what goes beyond its limits.
private final class CheckMeter: QueryMeter {
    struct Refusal: Error {}

    // Used by one check, on one thread.
    var statements = 0
    var rows = 0
    var statementLimit = Int.max
    var rowLimit = Int.max
    var refusesAfterwards = false

    func begin(_ statement: MeteredStatement) throws -> Int {
        guard statements < statementLimit else { throw Refusal() }
        statements += 1
        return rowLimit
    }

    func end(_ statement: MeteredStatement, _ cost: StatementCost) throws {
        rows += cost.rows
        if refusesAfterwards || cost.rows > rowLimit { throw Refusal() }
    }
}

extension StoreConformanceSuite {
    var meterChecks: [ConformanceCheck] {
        [
            check("a meter observes each query and its rows, and nothing else") { shelf in
                try shelf.insertAuthors("Ada", "Charles", "Mary")
                let meter = CheckMeter()
                let all = FetchRequest(entity: shelf.author)
                try shelf.write { session in
                    try session.metering(meter) {
                        try session.fetch(all) { while $0.next() {} }
                        try requireEqual(try session.count(all), 3)
                        _ = try session.update(all, [])
                        try session.apply([
                            .delete(entity: shelf.author, ValueRows([.integer(3)]))
                        ])
                    }
                    _ = try session.count(all)
                }
                try requireEqual(meter.statements, 3)
                try require(meter.rows >= 4, "expected 4 rows or more, found \(meter.rows)")
            },
            check("a query that a meter refuses does not run, or stops, or is rolled back") {
                shelf in
                try shelf.insertAuthors("Ada", "Charles", "Mary")
                let all = FetchRequest(entity: shelf.author)
                try shelf.write { session in
                    let before = CheckMeter()
                    before.statementLimit = 0
                    try requireRefusal {
                        try session.metering(before) { _ = try session.delete(all) }
                    }
                    let after = CheckMeter()
                    after.refusesAfterwards = true
                    try requireRefusal {
                        try session.metering(after) { _ = try session.delete(all) }
                    }
                    try requireEqual(try session.count(all), 3)
                }
                let meter = CheckMeter()
                meter.rowLimit = 2
                var seen = 0
                try requireRefusal {
                    try shelf.read { session in
                        try session.metering(meter) {
                            try session.fetch(all) { while $0.next() { seen += 1 } }
                        }
                    }
                }
                try requireEqual(seen, 2)
            },
            check("a request is explained without its values") { shelf in
                let condition = StorePredicate.comparison(.column(1), .equal, .value(.text("Ada")))
                let request = FetchRequest(entity: shelf.author, predicate: condition)
                let explanation = try shelf.read { try $0.explain(request) }
                try require(!explanation.sql.isEmpty, "the statement is empty")
                try require(
                    !explanation.sql.contains("Ada"), "it holds a value: \(explanation.sql)")
            },
        ]
    }

    private func requireRefusal(_ body: () throws -> Void) throws {
        do { try body() } catch is CheckMeter.Refusal { return }
        throw Unexpected(description: "expected the refusal of the meter, found none")
    }
}
