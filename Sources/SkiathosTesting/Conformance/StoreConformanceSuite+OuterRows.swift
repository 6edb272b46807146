import SkiathosStore

/// Queries inside of queries that compare with the rows around them.
extension StoreConformanceSuite {
    private static func outer(_ distance: Int, _ column: Int) -> StoreExpression {
        .outer(.distance(distance), .column(column))
    }

    /// The largest rating of the books of the same author.
    private static let best = StoreExpression.subquery(
        StoreSubquery(
            Shelf.book, StoreAggregate(.maximum, .column(2), .integer),
            where: .comparison(.column(5), .equal, outer(1, 5))))
    private static let isBest = StorePredicate.comparison(.column(2), .equal, best)

    var outerRowChecks: [ConformanceCheck] { outerConditionChecks + selectionChecks }

    private var outerConditionChecks: [ConformanceCheck] {
        [
            libraryCheck(
                "a condition on referring and referenced rows compares with the row around"
            ) {
                shelf in
                let above = StorePredicate.comparison(.column(2), .greater, Self.outer(1, 0))
                try requireEqual(
                    try shelf.ids(of: shelf.author, where: .related(Shelf.books, above)), [1])
                let below = StorePredicate.comparison(.column(0), .less, Self.outer(1, 2))
                try requireEqual(try shelf.bookIDs(where: .through(5, below)), [3])
                // A copy, its book, the author, and the author's books.
                let worse = StorePredicate.comparison(.column(2), .less, Self.outer(2, 2))
                let copies = StorePredicate.through(1, .through(5, .related(Shelf.books, worse)))
                try requireEqual(try shelf.ids(of: shelf.copy, where: copies), [3, 4, 5])
            },
            libraryCheck("a condition asks for the referring rows of a row around") { shelf in
                let another = StorePredicate.comparison(.column(0), .notEqual, Self.outer(2, 0))
                let twice = StorePredicate.related(
                    Shelf.copies, .outer(.distance(1), .related(Shelf.copies, another)))
                try requireEqual(try shelf.bookIDs(where: twice), [2, 3])
            },
            libraryCheck("a value of other rows is computed anew for each row") { shelf in
                try requireEqual(try shelf.bookIDs(where: Self.isBest), [3, 4, 5])
                try requireEqual(
                    try shelf.results(of: shelf.book, [(Self.best, .integer)]).map { $0[0] },
                    [.integer(3), .integer(2), .integer(2), .integer(2), .integer(3)])
            },
            libraryCheck("an aggregate of what outer rows have is one of the inner rows") { shelf in
                let sum = StoreAggregate(.sum, Self.outer(1, 2), .integer)
                try requireEqual(
                    try shelf.results(
                        of: shelf.book, [(.related(Shelf.copies, sum, nil), .integer)]
                    ).map { $0[0] },
                    [.integer(0), .integer(2), .integer(6), .integer(0), .integer(0)])
            },
            libraryCheck("rows are changed and deleted by comparing with the rows around") {
                shelf in
                try shelf.write { session in
                    let books = FetchRequest(entity: shelf.book)
                    try requireEqual(
                        try session.update(books, [StoreAssignment(column: 2, .set(Self.best))]), 5)
                    let others = StorePredicate.related(
                        Shelf.books, .comparison(.column(0), .greater, Self.outer(2, 0)))
                    let notLast = FetchRequest(entity: shelf.book, predicate: .through(5, others))
                    try requireEqual(try session.delete(notLast), 1)
                }
                try requireEqual(
                    try shelf.results(
                        of: shelf.book, [(.column(0), .integer), (.column(2), .integer)]
                    ).map { $0 },
                    [
                        [.integer(1), .integer(3)], [.integer(3), .integer(2)],
                        [.integer(4), .integer(2)], [.integer(5), .integer(3)],
                    ])
            },
            libraryCheck("a row that does not stand around is refused") { shelf in
                let none = StorePredicate.comparison(
                    Self.outer(1, 0), .equal, .value(.integer(1)))
                _ = try requireError(.invalidRequest) { _ = try shelf.bookIDs(where: none) }
                let further = StorePredicate.related(
                    Shelf.copies, .comparison(.column(0), .equal, Self.outer(2, 0)))
                _ = try requireError(.invalidRequest) { _ = try shelf.bookIDs(where: further) }
            },
        ]
    }

    private var selectionChecks: [ConformanceCheck] {
        [
            libraryCheck("a value is one of those of a selection, or is not") { shelf in
                let held = StorePredicate.containedIn(
                    .column(0), StoreSelection(Shelf.copy, .column(1), of: StoreRows()))
                try requireEqual(try shelf.bookIDs(where: held), [2, 3])
                try requireEqual(try shelf.bookIDs(where: .not(held)), [1, 4, 5])
                let prices = StoreSelection(
                    Shelf.copy, .column(2),
                    of: StoreRows(where: .comparison(.column(0), .equal, .value(.integer(2)))))
                try requireEqual(
                    try shelf.ids(of: shelf.copy, where: .containedIn(.column(2), prices)), [2])
            },
            libraryCheck("no value is one of a selection if a result has none") { shelf in
                func authors(_ rating: Int64) -> StorePredicate {
                    .containedIn(
                        .column(5),
                        StoreSelection(
                            Shelf.book, .column(5),
                            of: StoreRows(
                                where: .comparison(
                                    .column(2), .equal, .value(.integer(rating))))))
                }
                try requireEqual(try shelf.bookIDs(where: authors(3)), [1, 5])
                try requireEqual(try shelf.bookIDs(where: authors(1)), [2, 3])
                try requireEqual(try shelf.bookIDs(where: .not(authors(1))), [1, 4, 5])
            },
            libraryCheck("a limited selection has its first results, by its order") { shelf in
                func best(_ count: Int, _ result: Int, isDistinct: Bool = false) -> StorePredicate {
                    let rows = StoreRows(
                        order: [.init(.column(2), descending: true)], limit: count)
                    return .containedIn(
                        .column(result),
                        StoreSelection(
                            Shelf.book, .column(result), of: rows, isDistinct: isDistinct))
                }
                try requireEqual(try shelf.bookIDs(where: best(2, 0)), [3, 5])
                try requireEqual(try shelf.bookIDs(where: best(3, 2)), [3, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: best(3, 2, isDistinct: true)), [2, 3, 4, 5])
            },
            libraryCheck("a selection compares with the row around") { shelf in
                let others = StoreRows(
                    where: .comparison(.column(0), .notEqual, Self.outer(1, 0)))
                let shared = StorePredicate.containedIn(
                    .column(2), StoreSelection(Shelf.book, .column(2), of: others))
                try requireEqual(try shelf.bookIDs(where: shared), [3, 4])
            },
        ]
    }
}
