import SkiathosStore

extension StoreConformanceSuite {
    var statementChecks: [ConformanceCheck] {
        [
            check("statements are not recorded unless that is asked for") { shelf in
                try shelf.insertAuthors("Ada")
                try requireEqual(try shelf.count(shelf.author), 1)
                try requireEqual(try shelf.read { $0.takeStatements() }, RecordedStatements())
            },
            // A backend that records none keeps these as well.
            recordingCheck("recorded statements are taken once, and hold no values") { shelf in
                try shelf.insertAuthors("Ada")
                let condition = StorePredicate.comparison(.column(1), .equal, .value(.text("Ada")))
                let (first, second) = try shelf.read { session in
                    let request = FetchRequest(entity: shelf.author, predicate: condition)
                    try requireEqual(try session.count(request), 1)
                    return (session.takeStatements(), session.takeStatements())
                }
                try requireEqual(second, RecordedStatements())
                for statement in first.statements {
                    try require(
                        !statement.sql.contains("Ada"), "it holds a value: \(statement.sql)")
                }
            },
            recordingCheck("no more statements are kept than the limit allows", limit: 2) {
                shelf in
                let taken = try shelf.read { session in
                    for _ in 0..<5 {
                        _ = try session.count(FetchRequest(entity: shelf.author))
                    }
                    return session.takeStatements()
                }
                try require(taken.statements.count <= 2, "found \(taken.statements.count)")
                try require(
                    taken.isEmpty || taken.statements.count + taken.dropped >= 5,
                    "5 statements have run, and only \(taken.dropped) count as dropped")
            },
        ]
    }

    private func recordingCheck(
        _ rule: String, limit: Int = 1_000, _ body: @escaping (ConformanceStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(rule: rule) {
            let shelf = try ConformanceStore(
                makeSource(), statements: StatementRecording(limit: limit))
            let result = Result { try body(shelf) }
            try shelf.store.close()
            try result.get()
        }
    }
}
