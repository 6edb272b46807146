import SkiathosStore

extension StoreConformanceSuite {
    var queryChecks: [ConformanceCheck] {
        [
            queryCheck("comparisons are false without a value, and their negations true") { shelf in
                // Books 1 to 5 have the ratings none, 1, 2, 2, 3.
                let rating = StoreExpression.column(2)
                let two = StoreValue.integer(2)
                let expected: [(StorePredicate.Comparison, [Int64])] = [
                    (.equal, [3, 4]), (.notEqual, [1, 2, 5]), (.less, [2]),
                    (.lessOrEqual, [2, 3, 4]), (.greater, [5]), (.greaterOrEqual, [3, 4, 5]),
                ]
                for (comparison, ids) in expected {
                    let predicate = StorePredicate.comparison(rating, comparison, .value(two))
                    try requireEqual(try shelf.bookIDs(where: predicate), ids)
                    let others = Set(1...5 as ClosedRange<Int64>).subtracting(ids).sorted()
                    try requireEqual(try shelf.bookIDs(where: .not(predicate)), others)
                }
            },
            queryCheck("no value can be asked for, and is one of a list only by name") { shelf in
                let rating = StoreExpression.column(2)
                try requireEqual(
                    try shelf.bookIDs(where: .comparison(rating, .equal, .value(.null))), [1])
                try requireEqual(
                    try shelf.bookIDs(where: .comparison(rating, .notEqual, .value(.null))),
                    [2, 3, 4, 5])
                try requireEqual(try shelf.bookIDs(where: .contained(rating, [])), [])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.contained(rating, []))), [1, 2, 3, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .contained(rating, [.integer(3), .null])), [1, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.contained(rating, [.integer(3)]))), [1, 2, 3, 4])
            },
            queryCheck("a list of any length can be asked for") { shelf in
                let many = (2...5_000).map { StoreValue.integer($0) }
                try requireEqual(
                    try shelf.bookIDs(where: .contained(StoreExpression.column(2), many)),
                    [3, 4, 5])
            },
            queryCheck("a condition on all of no rows is true, one on any of them false") { shelf in
                try requireEqual(try shelf.bookIDs(where: .all([])), [1, 2, 3, 4, 5])
                try requireEqual(try shelf.bookIDs(where: .any([])), [])
            },
            queryCheck("texts are found by their scalars, or whatever the case") { shelf in
                // Titles: none, "", "Öl", "öl auf Holz", "50 % Öl".
                let title = StoreExpression.column(1)
                let folded = StoreExpression.folded(.column(1))
                try requireEqual(
                    try shelf.bookIDs(where: .match(title, .prefix, .value(.text("Öl")))), [3])
                try requireEqual(
                    try shelf.bookIDs(where: .match(folded, .prefix, .folded(.value(.text("ÖL"))))),
                    [3, 4])
                try requireEqual(
                    try shelf.bookIDs(where: .match(title, .suffix, .value(.text("Öl")))), [3, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .match(title, .contains, .value(.text("%")))), [5])
                try requireEqual(
                    try shelf.bookIDs(where: .match(title, .prefix, .value(.text("")))),
                    [2, 3, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .match(title, .suffix, .value(.text("")))),
                    [2, 3, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.match(title, .contains, .value(.text("l"))))),
                    [1, 2])
                try requireEqual(
                    try shelf.bookIDs(
                        where: .comparison(folded, .equal, .folded(.value(.text("ÖL"))))), [3])
            },
            queryCheck("rows come in the order asked for, no value first, then by ID") { shelf in
                let rating = StoreExpression.column(2)
                let ascending = FetchRequest(
                    entity: shelf.book, order: [.init(rating, descending: false)])
                try requireEqual(try shelf.bookIDs(ascending), [1, 2, 3, 4, 5])
                let descending = FetchRequest(
                    entity: shelf.book, order: [.init(rating, descending: true)])
                try requireEqual(try shelf.bookIDs(descending), [5, 3, 4, 2, 1])
            },
            queryCheck("limits and offsets cut a window out of the rows") { shelf in
                var request = FetchRequest(entity: shelf.book, limit: 2, offset: 1)
                try requireEqual(try shelf.bookIDs(request), [2, 3])
                try requireEqual(try shelf.read { try $0.count(request) }, 2)
                request.offset = 5
                try requireEqual(try shelf.bookIDs(request), [])
                try requireEqual(try shelf.read { try $0.exists(request) }, false)
                request = FetchRequest(entity: shelf.book, offset: 3)
                try requireEqual(try shelf.bookIDs(request), [4, 5])
                request = FetchRequest(entity: shelf.book, limit: 0)
                try requireEqual(try shelf.bookIDs(request), [])
            },
            queryCheck("rows are changed and deleted by a condition, and counted") { shelf in
                let two = StorePredicate.comparison(.column(2), .equal, .value(.integer(2)))
                try shelf.write { session in
                    let changed = try session.update(
                        FetchRequest(entity: shelf.book, predicate: two),
                        [
                            StoreAssignment(column: 2, .add(.integer(10))),
                            StoreAssignment(column: 1, .set(.value(.null))),
                        ])
                    try requireEqual(changed, 2)
                    let large = StorePredicate.comparison(
                        .column(2), .greater, .value(.integer(2)))
                    try requireEqual(
                        try session.delete(FetchRequest(entity: shelf.book, predicate: large)), 3)
                }
                try requireEqual(try shelf.bookIDs(where: .all([])), [1, 2])
            },
        ]
    }

    private func queryCheck(
        _ rule: String, _ body: @escaping (ConformanceStore) throws -> Void
    ) -> ConformanceCheck {
        check(rule) { shelf in
            try shelf.write { session in
                let rows = ValueRows(
                    shelf.bookRow(1), shelf.bookRow(2, title: "", rating: 1),
                    shelf.bookRow(3, title: "Öl", rating: 2),
                    shelf.bookRow(4, title: "öl auf Holz", rating: 2),
                    shelf.bookRow(5, title: "50 % Öl", rating: 3))
                try session.apply([.insert(entity: shelf.book, rows)])
            }
            try body(shelf)
        }
    }
}
