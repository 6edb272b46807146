import SkiathosStore

extension StoreConformanceSuite {
    private static func aggregate(
        _ function: StoreAggregate.Function, _ column: Int, _ storage: StorageClass,
        isDistinct: Bool = false
    ) -> StoreExpression {
        .aggregate(StoreAggregate(function, .column(column), storage, isDistinct: isDistinct))
    }

    private static let rows = StoreExpression.aggregate(StoreAggregate(.count, nil, .integer))

    var aggregateChecks: [ConformanceCheck] {
        [
            libraryCheck("aggregates leave out what has no value") { shelf in
                let request = ProjectionRequest(
                    [
                        Self.rows, Self.aggregate(.count, 2, .integer),
                        Self.aggregate(.count, 2, .integer, isDistinct: true),
                        Self.aggregate(.sum, 2, .integer), Self.aggregate(.average, 2, .integer),
                        Self.aggregate(.minimum, 2, .integer), Self.aggregate(.maximum, 1, .text),
                        Self.aggregate(.sum, 3, .real),
                    ], of: FetchRequest(entity: shelf.book))
                try requireEqual(
                    try shelf.results(
                        request,
                        [.integer, .integer, .integer, .integer, .real, .integer, .text, .real]),
                    [
                        [
                            .integer(5), .integer(4), .integer(3), .integer(8), .real(2),
                            .integer(1), .text("öl auf Holz"), .real(-0.75),
                        ]
                    ])
            },
            libraryCheck("sums of no rows are zero, other aggregates have no value") { shelf in
                let none = FetchRequest(entity: shelf.book, predicate: .constant(false))
                let request = ProjectionRequest(
                    [
                        Self.rows, Self.aggregate(.sum, 2, .integer),
                        Self.aggregate(.sum, 3, .real),
                        Self.aggregate(.average, 2, .integer),
                        Self.aggregate(.minimum, 2, .integer),
                        Self.aggregate(.maximum, 1, .text),
                    ], of: none)
                try requireEqual(
                    try shelf.results(
                        request, [.integer, .integer, .real, .real, .integer, .text]),
                    [[.integer(0), .integer(0), .real(0), .null, .null, .null]])
                let decimals = ProjectionRequest(
                    [Self.aggregate(.sum, 2, .decimal), Self.aggregate(.average, 2, .decimal)],
                    of: FetchRequest(entity: shelf.copy, predicate: .constant(false)))
                try requireEqual(
                    try shelf.results(decimals, [.decimal, .decimal]), [[.text("0"), .null]])
            },
            libraryCheck("decimal numbers are added exactly, and the smallest is so by value") {
                shelf in
                let request = ProjectionRequest(
                    [
                        Self.aggregate(.sum, 2, .decimal), Self.aggregate(.average, 2, .decimal),
                        Self.aggregate(.minimum, 2, .decimal),
                        Self.aggregate(.maximum, 2, .decimal),
                    ], of: FetchRequest(entity: shelf.copy))
                try requireEqual(
                    try shelf.results(request, [.decimal, .decimal, .decimal, .decimal]),
                    [[.text("27.59"), .text("5.518"), .text("-1.5"), .text("10")]])
            },
            libraryCheck("a sum beyond 64 bits is an error") { shelf in
                let large = StoreExpression.choose(
                    .comparison(.column(2), .equal, .value(.integer(2))),
                    .value(.integer(.max)), .value(.integer(0)))
                let request = ProjectionRequest(
                    [.aggregate(StoreAggregate(.sum, large, .integer))],
                    of: FetchRequest(entity: shelf.book))
                _ = try requireError(.invalidValue) {
                    _ = try shelf.results(request, [.integer])
                }
            },
            libraryCheck("rows are grouped, without a value too, by keys in ascending order") {
                shelf in
                let request = ProjectionRequest(
                    [.column(2), Self.rows, Self.aggregate(.sum, 3, .real)],
                    of: FetchRequest(entity: shelf.book), groupedBy: [.column(2)])
                try requireEqual(
                    try shelf.results(request, [.integer, .integer, .real]),
                    [
                        [.null, .integer(1), .real(0)], [.integer(1), .integer(1), .real(0)],
                        [.integer(2), .integer(2), .real(-2)],
                        [.integer(3), .integer(1), .real(1.25)],
                    ])
            },
            libraryCheck("groups are chosen, ordered and cut by their aggregates") { shelf in
                var rows = FetchRequest(
                    entity: shelf.copy, order: [.init(Self.rows, descending: true)])
                let half = StoreExpression.column(1)
                var request = ProjectionRequest(
                    [half, Self.rows], of: rows, groupedBy: [half],
                    having: .comparison(Self.rows, .greaterOrEqual, .value(.integer(2))))
                let expected: [[StoreValue]] = [
                    [.integer(3), .integer(3)], [.integer(2), .integer(2)],
                ]
                try requireEqual(try shelf.results(request, [.integer, .integer]), expected)
                rows.limit = 1
                rows.offset = 1
                request.rows = rows
                try requireEqual(try shelf.results(request, [.integer, .integer]), [expected[1]])
            },
            libraryCheck("results that are the same come once if asked so, none among them") {
                shelf in
                let rows = FetchRequest(
                    entity: shelf.copy, order: [.init(.column(4), descending: true)])
                var request = ProjectionRequest([.column(4)], of: rows, isDistinct: true)
                try requireEqual(
                    try shelf.results(request, [.text]),
                    [[.text("a")], [.text("9")], [.text("10")], [.null]])
                request.rows.limit = 2
                request.rows.offset = 1
                try requireEqual(
                    try shelf.results(request, [.text]), [[.text("9")], [.text("10")]])
            },
            libraryCheck("a condition on rows cannot use aggregates") { shelf in
                let many = StorePredicate.comparison(Self.rows, .greater, .value(.integer(1)))
                _ = try requireError(.invalidRequest) {
                    _ = try shelf.results(
                        ProjectionRequest(
                            [Self.rows], of: FetchRequest(entity: shelf.book, predicate: many)),
                        [.integer])
                }
            },
        ]
    }
}
