import SkiathosStore

extension StoreConformanceSuite {
    var rowChecks: [ConformanceCheck] {
        [
            check("every kind of value comes back as it was stored") { shelf in
                let rows = [
                    shelf.bookRow(1),
                    shelf.bookRow(2, title: "", rating: .min, weight: -.infinity, cover: []),
                    shelf.bookRow(
                        3, title: "Άννα 🏝️", rating: .max, weight: .leastNonzeroMagnitude,
                        cover: [0, 255, 0]),
                ]
                try shelf.write { session in
                    for row in rows {
                        try session.apply([.insert(entity: shelf.book, ValueRows(row))])
                    }
                }
                try requireEqual(try shelf.allBooks(), rows)
            },
            check("rows are inserted without a list of steps, too") { shelf in
                let rows = [
                    shelf.bookRow(1, title: "a"), shelf.bookRow(2), shelf.bookRow(3, rating: 3),
                ]
                try shelf.write { session in
                    try session.insert(
                        ValueRows(rows[0]), count: 1, into: shelf.book,
                        onFailure: .callerRollsBack)
                    try session.insert(
                        ValueRows(rows[1], rows[2]), count: 2, into: shelf.book,
                        onFailure: .sessionRollsBack)
                }
                try requireEqual(try shelf.allBooks(), rows)
            },
            check("an update changes the named columns of the named rows alone") { shelf in
                try shelf.write { session in
                    let rows = ValueRows(
                        shelf.bookRow(1, title: "a", rating: 1),
                        shelf.bookRow(2, title: "b", rating: 2))
                    try session.apply([.insert(entity: shelf.book, rows)])
                    let update = ValueRows(updates: [[.text("c"), .real(0.5), .integer(2)]])
                    try session.apply([.update(entity: shelf.book, columns: [1, 3], update)])
                }
                try requireEqual(
                    try shelf.allBooks(),
                    [
                        shelf.bookRow(1, title: "a", rating: 1),
                        shelf.bookRow(2, title: "c", rating: 2, weight: 0.5),
                    ])
            },
            check("a deletion deletes the named rows alone") { shelf in
                try shelf.insertAuthors("a", "b", "c")
                try shelf.write {
                    try $0.apply([.delete(entity: shelf.author, ValueRows([.integer(2)]))])
                }
                try requireEqual(try shelf.count(shelf.author), 2)
            },
            check("rows are found by one ID and by many, absent ones not at all") { shelf in
                try shelf.insertAuthors("a", "b", "c")
                var found: [Int64] = []
                try shelf.read { session in
                    for id: Int64 in [2, 9] {
                        try session.fetch(entity: shelf.author, id: .integer(id)) { cursor in
                            while cursor.next() { found.append(cursor.row.integer(at: 0)) }
                        }
                    }
                    let many = (1...2_000).map { StoreValue.integer($0) }
                    try session.fetch(entity: shelf.author, ids: many) { cursor in
                        while cursor.next() { found.append(cursor.row.integer(at: 0)) }
                    }
                }
                try requireEqual(found.sorted(), [1, 2, 2, 3])
            },
            check("a walk that stops early, or throws, leaves the connection usable") { shelf in
                try shelf.insertAuthors("a", "b", "c")
                let all = FetchRequest(entity: shelf.author)
                try shelf.read { session in try session.fetch(all) { _ = $0.next() } }
                do {
                    try shelf.read { session in
                        try session.fetch(all) { cursor in
                            _ = cursor.next()
                            throw CancellationError()
                        }
                    }
                } catch is CancellationError {}
                try shelf.insertAuthorsAgain()
                try requireEqual(try shelf.count(shelf.author), 4)
            },
            check("the highest ID stays in memory after its row is gone") { shelf in
                try shelf.insertAuthors("a", "b", "c")
                try shelf.write { session in
                    try session.apply([
                        .reserveIDs(entity: shelf.author, upTo: 100),
                        .delete(entity: shelf.author, ValueRows([.integer(3)])),
                    ])
                    try requireEqual(try session.highestID(of: shelf.author), 100)
                }
            },
            check("emptying the store leaves no row and keeps the highest ID") { shelf in
                try shelf.insertAuthors("a", "b", "c")
                try shelf.write { try $0.deleteEverything() }
                try requireEqual(try shelf.count(shelf.author), 0)
                try shelf.write { try requireEqual(try $0.highestID(of: shelf.author), 3) }
            },
            check("a sound store has no problems, and a sync succeeds") { shelf in
                try shelf.insertAuthors("a")
                try shelf.store.writer.sync()
                try requireEqual(try shelf.read { try $0.integrityProblems() }, [])
            },
        ]
    }

    func check(
        _ rule: String, _ body: @escaping (ConformanceStore) throws -> Void
    ) -> ConformanceCheck {
        ConformanceCheck(rule: rule) {
            let shelf = try ConformanceStore(try makeSource())
            let result = Result { try body(shelf) }
            try shelf.store.close()
            try result.get()
        }
    }
}

extension ConformanceStore {
    fileprivate func insertAuthorsAgain() throws {
        try write {
            try $0.apply([.insert(entity: author, ValueRows([.integer(7), .text("z")]))])
        }
    }

    /// All books by their ID.
    func allBooks() throws -> [[StoreValue]] {
        var rows: [[StoreValue]] = []
        let order = FetchRequest.Order(StoreExpression.column(0), descending: false)
        try read { session in
            try session.fetch(FetchRequest(entity: book, order: [order])) { cursor in
                while cursor.next() { rows.append(Self.values(cursor.row)) }
            }
        }
        return rows
    }

    private static func values(_ row: RowReader) -> [StoreValue] {
        func optional(_ column: Int, _ value: () -> StoreValue) -> StoreValue {
            row.isNull(at: column) ? .null : value()
        }
        return [
            .integer(row.integer(at: 0)),
            optional(1) { row.text(at: 1).map { .text($0) } ?? .null },
            optional(2) { .integer(row.integer(at: 2)) },
            optional(3) { .real(row.real(at: 3)) },
            optional(4) { row.withBytes(at: 4) { .blob([UInt8]($0)) } },
            optional(5) { .integer(row.integer(at: 5)) },
            optional(6) { row.text(at: 6).map { .text($0) } ?? .null },
        ]
    }
}
