import SkiathosStore

extension StoreConformanceSuite {
    private static let count = StoreAggregate(.count, nil, .integer)
    private static let isAda = StorePredicate.comparison(
        .column(1), .equal, .value(.text("Ada")))
    private static let cheap = StorePredicate.comparison(
        .column(2), .less, .value(.text("9.5")))

    var relationChecks: [ConformanceCheck] {
        [
            libraryCheck("a value of the row that a reference leads to is none without that row") {
                shelf in
                let name = StoreExpression.through(5, .column(1))
                try requireEqual(
                    try shelf.results(of: shelf.book, [(name, .text)]).map { $0[0] },
                    [.null, .text("Ada"), .text("Ada"), .text("Bob"), .null])
                try requireEqual(try shelf.order(shelf.book, name), [1, 5, 2, 3, 4])
                let further = StoreExpression.through(1, name)
                try requireEqual(
                    try shelf.results(of: shelf.copy, [(further, .text)]).map { $0[0] },
                    [.text("Ada"), .text("Ada"), .text("Ada"), .text("Ada"), .text("Ada"), .null])
            },
            libraryCheck("a reference leads to a row that meets a condition, or does not") {
                shelf in
                try requireEqual(try shelf.bookIDs(where: .through(5, Self.isAda)), [2, 3])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.through(5, Self.isAda))), [1, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .through(5, .not(Self.isAda))), [4])
                try requireEqual(
                    try shelf.ids(of: shelf.copy, where: .through(1, .through(5, Self.isAda))),
                    [1, 2, 3, 4, 5])
                let differs = StorePredicate.comparison(
                    .through(5, .column(1)), .notEqual, .value(.text("Ada")))
                try requireEqual(try shelf.bookIDs(where: differs), [1, 4, 5])
            },
            libraryCheck("rows are found by whether others refer to them") { shelf in
                try requireEqual(
                    try shelf.bookIDs(where: .related(Shelf.copies, nil)), [2, 3])
                try requireEqual(
                    try shelf.bookIDs(where: .not(.related(Shelf.copies, nil))), [1, 4, 5])
                let dear = StorePredicate.comparison(.column(2), .greater, .value(.text("9.99")))
                try requireEqual(try shelf.bookIDs(where: .related(Shelf.copies, dear)), [2])
                try requireEqual(
                    try shelf.ids(
                        of: shelf.author, where: .related(Shelf.books, .related(Shelf.copies, dear))
                    ),
                    [1])
                try requireEqual(
                    try shelf.ids(
                        of: shelf.copy, where: .through(1, .related(Shelf.copies, dear))), [1, 2])
            },
            libraryCheck("values are computed from the rows that refer to one") { shelf in
                func related(
                    _ function: StoreAggregate.Function, _ storage: StorageClass,
                    _ condition: StorePredicate? = nil
                ) -> StoreExpression {
                    let aggregate = StoreAggregate(function, .column(2), storage)
                    return .related(Shelf.copies, aggregate, condition)
                }
                try requireEqual(
                    try shelf.results(
                        of: shelf.book,
                        [
                            (.related(Shelf.copies, Self.count, nil), .integer),
                            (.related(Shelf.copies, Self.count, Self.cheap), .integer),
                            (related(.count, .decimal), .integer),
                            (related(.sum, .decimal), .decimal),
                            (related(.maximum, .decimal), .decimal),
                            (related(.minimum, .decimal, Self.cheap), .decimal),
                        ], where: .comparison(.column(0), .lessOrEqual, .value(.integer(3)))),
                    [
                        [.integer(0), .integer(0), .integer(0), .text("0"), .null, .null],
                        [
                            .integer(2), .integer(1), .integer(2), .text("19"), .text("10"),
                            .text("9"),
                        ],
                        [
                            .integer(3), .integer(1), .integer(2), .text("8.49"), .text("9.99"),
                            .text("-1.5"),
                        ],
                    ])
            },
            libraryCheck("a value computed from referring rows is compared, ordered and nested") {
                shelf in
                let copies = StoreExpression.related(Shelf.copies, Self.count, nil)
                try requireEqual(
                    try shelf.bookIDs(where: .comparison(copies, .greater, .value(.integer(2)))),
                    [3])
                let request = FetchRequest(
                    entity: shelf.book, order: [.init(copies, descending: true)], limit: 3)
                try requireEqual(try shelf.bookIDs(request), [3, 2, 1])
                let all = StoreExpression.related(
                    Shelf.books, StoreAggregate(.sum, copies, .integer), nil)
                try requireEqual(
                    try shelf.results(of: shelf.author, [(all, .integer)]).map { $0[0] },
                    [.integer(5), .integer(0), .integer(0)])
                try requireEqual(
                    try shelf.results(of: shelf.book, [(.through(5, all), .integer)]).map { $0[0] },
                    [.null, .integer(5), .integer(5), .integer(0), .null])
            },
            libraryCheck("rows are changed and deleted by what others hold") { shelf in
                try shelf.write { session in
                    let ofAda = FetchRequest(entity: shelf.book, predicate: .through(5, Self.isAda))
                    let copies = StoreExpression.related(Shelf.copies, Self.count, nil)
                    try requireEqual(
                        try session.update(ofAda, [StoreAssignment(column: 2, .set(copies))]), 2)
                    let without = FetchRequest(
                        entity: shelf.book, predicate: .not(.related(Shelf.copies, nil)))
                    try requireEqual(try session.delete(without), 3)
                }
                try requireEqual(
                    try shelf.results(
                        of: shelf.book, [(.column(0), .integer), (.column(2), .integer)]),
                    [[.integer(2), .integer(2)], [.integer(3), .integer(3)]])
            },
            libraryCheck("rows are changed by what others held before the change") { shelf in
                // Each book gets the ratings of all books of its author.
                let all = StoreExpression.through(
                    5,
                    .related(Shelf.books, StoreAggregate(.sum, .column(2), .integer), nil))
                try shelf.write { session in
                    let books = FetchRequest(entity: shelf.book)
                    try requireEqual(
                        try session.update(books, [StoreAssignment(column: 2, .set(all))]), 5)
                }
                try requireEqual(
                    try shelf.results(of: shelf.book, [(.column(2), .integer)]).map { $0[0] },
                    [.null, .integer(3), .integer(3), .integer(2), .null])
            },
            libraryCheck("a relation of rows that the store does not hold is refused") { shelf in
                _ = try requireError(.invalidSchema) {
                    _ = try shelf.bookIDs(where: .related(Shelf.unknown, nil))
                }
            },
        ]
    }
}
