import SkiathosStore

extension StoreConformanceSuite {
    private static let byID = [FetchRequest.Order(.column(0), descending: false)]
    private static let byRating = [FetchRequest.Order(.column(2), descending: false)]
    private static let byFallingRating = [FetchRequest.Order(.column(2), descending: true)]

    private static func sum(
        _ column: Int, _ storage: StorageClass, _ order: [FetchRequest.Order] = []
    ) -> StoreExpression {
        .window(
            StoreWindow(
                .aggregate(StoreAggregate(.sum, .column(column), storage)), order: order))
    }

    var windowChecks: [ConformanceCheck] {
        [
            libraryCheck("equal rows share a rank, and have numbers in the order of their IDs") {
                shelf in
                let found = try shelf.results(
                    of: shelf.book,
                    [
                        (.window(StoreWindow(.rank, order: Self.byFallingRating)), .integer),
                        (.window(StoreWindow(.denseRank, order: Self.byFallingRating)), .integer),
                        (.window(StoreWindow(.rowNumber, order: Self.byFallingRating)), .integer),
                        (
                            .window(
                                StoreWindow(
                                    .rowNumber, partition: [.column(5)], order: Self.byRating)),
                            .integer
                        ),
                    ])
                try requireEqual(
                    found.map { $0.map(\.whole) },
                    [[5, 4, 5, 1], [4, 3, 4, 1], [2, 2, 2, 2], [2, 2, 3, 1], [1, 1, 1, 2]])
            },
            libraryCheck("a window sees the rows before and behind, and none beyond") { shelf in
                let found = try shelf.results(
                    of: shelf.book,
                    [
                        (
                            .window(StoreWindow(.previous(.column(0), 1), order: Self.byID)),
                            .integer
                        ),
                        (
                            .window(
                                StoreWindow(
                                    .next(.column(0), 2), partition: [.column(5)],
                                    order: Self.byID)),
                            .integer
                        ),
                    ])
                try requireEqual(
                    found,
                    [
                        [.null, .null], [.integer(1), .null], [.integer(2), .null],
                        [.integer(3), .null], [.integer(4), .null],
                    ])
            },
            libraryCheck("running sums take equal rows one by one, totals take the partition") {
                shelf in
                try requireEqual(
                    try shelf.results(
                        of: shelf.book,
                        [(Self.sum(2, .integer, Self.byRating), .integer)]
                    ).map { $0.map(\.whole) },
                    [[0], [1], [3], [5], [8]])
                let mean = StoreWindow(
                    .aggregate(StoreAggregate(.average, .column(2), .integer)),
                    partition: [.column(5)])
                try requireEqual(
                    try shelf.results(of: shelf.book, [(.window(mean), .real)]),
                    [[.real(3)], [.real(1.5)], [.real(1.5)], [.real(2)], [.real(3)]])
                try requireEqual(
                    try shelf.results(
                        of: shelf.copy,
                        [
                            (Self.sum(2, .decimal, Self.byID), .decimal),
                            (Self.sum(2, .decimal), .decimal),
                        ]),
                    ["9", "19", "28.99", "28.99", "27.49", "27.59"].map {
                        [.text($0), .text("27.59")]
                    })
            },
            libraryCheck("a window where there is one row is an error") { shelf in
                let rank = StoreExpression.window(StoreWindow(.rank, order: Self.byID))
                _ = try requireError(.invalidRequest) {
                    _ = try shelf.ids(
                        of: shelf.book,
                        where: .comparison(rank, .equal, .value(.integer(1))))
                }
            },
            libraryCheck("an aggregate of other rows is one value for all rows") { shelf in
                let mean = StoreExpression.subquery(
                    StoreSubquery(Shelf.book, StoreAggregate(.average, .column(2), .integer)))
                try requireEqual(
                    try shelf.ids(
                        of: shelf.book,
                        where: .comparison(.call(.real, [.column(2)]), .greater, mean)),
                    [5])
                let notes = StoreSubquery(
                    Shelf.copy, StoreAggregate(.count, .column(4), .text),
                    where: .comparison(.column(4), .equal, .value(.text("9"))))
                try requireEqual(
                    try shelf.results(of: shelf.author, [(.subquery(notes), .integer)]),
                    [[.integer(2)], [.integer(2)], [.integer(2)]])
            },
        ]
    }
}

extension StoreValue {
    /// The number that it is; none is -1.
    fileprivate var whole: Int64 { if case .integer(let value) = self { value } else { -1 } }
}
