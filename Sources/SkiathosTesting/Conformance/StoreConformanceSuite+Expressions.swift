import SkiathosStore

extension StoreConformanceSuite {
    private static let rating = StoreExpression.column(2)
    private static let weight = StoreExpression.column(3)

    var expressionChecks: [ConformanceCheck] {
        [
            libraryCheck("numbers are computed, and have no value where a part has none") { shelf in
                func integer(
                    _ operation: StoreExpression.Operator, _ value: Int64
                ) -> (StoreExpression, StorageClass) {
                    (
                        .arithmetic(operation, Self.rating, .value(.integer(value)), .integer),
                        .integer
                    )
                }
                let found = try shelf.results(
                    of: shelf.book,
                    [
                        integer(.add, 10), integer(.subtract, 4), integer(.multiply, -3),
                        integer(.divide, 2), integer(.remainder, 2), integer(.divide, 0),
                        integer(.remainder, 0),
                        (.arithmetic(.divide, Self.weight, .value(.real(2)), .real), .real),
                    ])
                func row(_ numbers: Int64..., real: StoreValue) -> [StoreValue] {
                    numbers.map { .integer($0) } + [.null, .null, real]
                }
                try requireEqual(
                    found,
                    [
                        Array(repeating: .null, count: 8), row(11, -3, -3, 0, 1, real: .null),
                        row(12, -2, -6, 1, 0, real: .real(0.25)),
                        row(12, -2, -6, 1, 0, real: .real(-1.25)),
                        row(13, -1, -9, 1, 1, real: .real(0.625)),
                    ])
            },
            libraryCheck("integers are divided towards zero, remainders have the dividend's sign") {
                shelf in
                let minus = StoreExpression.arithmetic(
                    .subtract, .value(.integer(-4)), Self.rating, .integer)
                let two = StoreExpression.value(.integer(2))
                try requireEqual(
                    try shelf.results(
                        of: shelf.book,
                        [
                            (.arithmetic(.divide, minus, two, .integer), .integer),
                            (.arithmetic(.remainder, minus, two, .integer), .integer),
                        ], where: .comparison(Self.rating, .notEqual, .value(.null))),
                    [[-2, -1], [-3, 0], [-3, 0], [-3, -1]].map { $0.map { .integer($0) } })
            },
            libraryCheck("a result beyond 64 bits is an error") { shelf in
                _ = try requireError(.invalidValue) {
                    _ = try shelf.results(
                        of: shelf.book,
                        [
                            (
                                .arithmetic(.add, Self.rating, .value(.integer(.max)), .integer),
                                .integer
                            )
                        ])
                }
            },
            libraryCheck("decimal numbers are computed, compared and ordered by value") { shelf in
                let price = StoreExpression.column(2)
                let sum = StoreExpression.arithmetic(.add, price, .value(.text("0.01")), .decimal)
                try requireEqual(
                    try shelf.results(of: shelf.copy, [(sum, .decimal)]).map { $0[0] },
                    [.text("9.01"), .text("10.01"), .text("10"), .null, .text("-1.49")]
                        + [.text("0.11")])
                try requireEqual(
                    try shelf.ids(
                        of: shelf.copy, where: .comparison(price, .less, .value(.text("9.5")))),
                    [1, 5, 6])
                try requireEqual(
                    try shelf.ids(
                        of: shelf.copy, where: .comparison(sum, .equal, .value(.text("10")))), [3])
                try requireEqual(try shelf.order(shelf.copy, price), [4, 5, 6, 1, 3, 2])
                try requireEqual(try shelf.order(shelf.copy, sum), [4, 5, 6, 1, 3, 2])
            },
            libraryCheck("a choice is made by a condition, and keeps the order of its own values") {
                shelf in
                let price = StoreExpression.column(2)
                let isCheap = StorePredicate.comparison(price, .less, .value(.text("9.5")))
                let note = StoreExpression.choose(isCheap, .column(4), .value(.text("0")))
                try requireEqual(
                    try shelf.results(of: shelf.copy, [(note, .text)]).map { $0[0] },
                    [.text("9"), .text("0"), .text("0"), .text("0"), .null, .text("9")])
                // Texts, although the condition is about numbers.
                try requireEqual(try shelf.order(shelf.copy, note), [5, 2, 3, 4, 1, 6])
                let nine = StoreExpression.call(.decimal, [.value(.text("9"))])
                let chosen = StoreExpression.choose(isCheap, nine, price)
                try requireEqual(try shelf.order(shelf.copy, chosen), [4, 1, 5, 6, 3, 2])
            },
            libraryCheck("the first of two values is taken, and sorts among the others") { shelf in
                let rating = StoreExpression.coalesce(Self.rating, .value(.integer(2)))
                try requireEqual(
                    try shelf.results(of: shelf.book, [(rating, .integer)]).map { $0[0] },
                    [2, 1, 2, 2, 3].map { .integer($0) })
                try requireEqual(try shelf.order(shelf.book, rating), [2, 1, 3, 4, 5])
                try requireEqual(
                    try shelf.bookIDs(where: .comparison(rating, .equal, .value(.integer(2)))),
                    [1, 3, 4])
            },
            libraryCheck("a missing value comes first, and last in a descending order") { shelf in
                let half = StoreExpression.arithmetic(
                    .divide, Self.rating, .value(.integer(2)), .integer)
                try requireEqual(try shelf.order(shelf.book, half), [1, 2, 3, 4, 5])
                let request = FetchRequest(
                    entity: shelf.book, order: [.init(half, descending: true)])
                try requireEqual(try shelf.bookIDs(request), [3, 4, 5, 2, 1])
            },
            libraryCheck("two columns are compared, and none equals none") { shelf in
                func pairs(_ comparison: StorePredicate.Comparison) throws -> [Int64] {
                    try shelf.bookIDs(where: .comparison(Self.rating, comparison, .column(5)))
                }
                try requireEqual(try pairs(.equal), [1, 2, 4])
                try requireEqual(try pairs(.notEqual), [3, 5])
                try requireEqual(try pairs(.greater), [3])
                try requireEqual(try pairs(.lessOrEqual), [2, 4])
            },
        ]
    }
}

extension ConformanceStore {
    /// The IDs of all rows of an entity, ordered by an expression.
    func order(_ entity: Int, _ expression: StoreExpression) throws -> [Int64] {
        let rows = FetchRequest(entity: entity, order: [.init(expression, descending: false)])
        return try results(ProjectionRequest([.column(0)], of: rows), [.integer]).compactMap {
            if case .integer(let id) = $0.first { id } else { nil }
        }
    }
}
