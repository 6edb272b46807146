import SkiathosStore

extension StoreConformanceSuite {
    private static func names(_ shelf: ConformanceStore) -> ProjectionRequest {
        ProjectionRequest([.column(1), .column(0)], of: FetchRequest(entity: shelf.author))
    }

    private static func notes(_ shelf: ConformanceStore) -> ProjectionRequest {
        ProjectionRequest(
            [.column(4), .column(1)],
            of: FetchRequest(
                entity: shelf.copy, order: [.init(.column(0), descending: false)], limit: 3))
    }

    private static func prices(_ shelf: ConformanceStore) -> ProjectionRequest {
        ProjectionRequest([.column(2)], of: FetchRequest(entity: shelf.copy))
    }

    var unionChecks: [ConformanceCheck] {
        [
            libraryCheck("a row is among those of a query with a limit of its own") { shelf in
                let best = StoreRows(order: [.init(.column(2), descending: true)], limit: 2)
                try requireEqual(try shelf.ids(of: shelf.book, where: .among(best)), [3, 5])
                let rest = StoreRows(
                    where: .comparison(.column(2), .greater, .value(.integer(0))),
                    order: [.init(.column(2), descending: false)], offset: 1)
                try requireEqual(try shelf.ids(of: shelf.book, where: .among(rest)), [3, 4, 5])
                try requireEqual(
                    try shelf.ids(of: shelf.book, where: .any([.among(best), .among(rest)])),
                    [3, 4, 5])
                try requireEqual(
                    try shelf.ids(of: shelf.book, where: .not(.among(best))), [1, 2, 4])
                try requireEqual(
                    try shelf.ids(of: shelf.copy, where: .through(1, .among(best))), [3, 4, 5])
                try requireEqual(
                    try shelf.ids(of: shelf.book, where: .among(StoreRows())), [1, 2, 3, 4, 5])
            },
            libraryCheck("rows that a limit of another query chooses are changed and deleted") {
                shelf in
                let best = StoreRows(order: [.init(.column(2), descending: true)], limit: 2)
                let request = FetchRequest(entity: shelf.book, predicate: .among(best))
                try shelf.write { session in
                    let count = try session.update(
                        request, [StoreAssignment(column: 2, .set(.value(.integer(-1))))])
                    try requireEqual(count, 2)
                    try requireEqual(try session.delete(request), 2)
                }
                // The two best after the change: 2 and 1, which no one has changed.
                try requireEqual(
                    try shelf.ids(of: shelf.book, where: .constant(true)), [1, 3, 5])
            },
            libraryCheck("a union has equal results once, as those of the first part") { shelf in
                let request = UnionRequest(
                    [Self.notes(shelf), Self.names(shelf), Self.notes(shelf)], distinct: 3,
                    order: [.init(0, descending: false)])
                try requireEqual(
                    try shelf.results(request, [.text, .integer]),
                    [
                        [.text("10"), .integer(2), .integer(0)],
                        [.text("9"), .integer(2), .integer(0)],
                        [.text("Ada"), .integer(1), .integer(1)],
                        [.text("Bob"), .integer(2), .integer(1)],
                        [.text("Cid"), .integer(3), .integer(1)],
                        [.text("a"), .integer(3), .integer(0)],
                    ])
            },
            libraryCheck("a union of all keeps equal results, and is sorted and limited as one") {
                shelf in
                var request = UnionRequest(
                    [Self.names(shelf), Self.names(shelf)], distinct: 0,
                    order: [.init(1, descending: true)], limit: 3, offset: 1)
                try requireEqual(
                    try shelf.results(request, [.text, .integer]),
                    [
                        [.text("Cid"), .integer(3), .integer(1)],
                        [.text("Bob"), .integer(2), .integer(0)],
                        [.text("Bob"), .integer(2), .integer(1)],
                    ])
                request = UnionRequest(
                    [Self.names(shelf), Self.names(shelf), Self.names(shelf)], distinct: 2)
                try requireEqual(try shelf.results(request, [.text, .integer]).count, 6)
            },
            libraryCheck("a union compares decimal numbers by value, and no value with itself") {
                shelf in
                let request = UnionRequest(
                    [Self.prices(shelf), Self.prices(shelf)], distinct: 2,
                    order: [.init(0, descending: false)])
                try requireEqual(
                    try shelf.results(request, [.decimal]).map { $0[0] },
                    [.null, .text("-1.5"), .text("0.1"), .text("9"), .text("9.99"), .text("10")])
            },
            libraryCheck("a union of results that are kept differently is an error") { shelf in
                for other in [Self.prices(shelf), Self.names(shelf)] {
                    let request = UnionRequest(
                        [
                            ProjectionRequest(
                                [.column(0)], of: FetchRequest(entity: shelf.author)), other,
                        ], distinct: 2)
                    _ = try requireError(.invalidRequest) {
                        _ = try shelf.results(request, [.integer])
                    }
                }
            },
        ]
    }
}

extension ConformanceStore {
    /// What a union gives: its results, and the number of the part.
    fileprivate func results(
        _ request: UnionRequest, _ storage: [StorageClass]
    ) throws -> [[StoreValue]] {
        var rows: [[StoreValue]] = []
        try read { session in
            try session.fetch(request) { cursor in
                while cursor.next() { rows.append(Self.values(cursor.row, storage + [.integer])) }
            }
        }
        return rows
    }
}
