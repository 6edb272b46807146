import SkiathosStore

extension StoreConformanceSuite {
    var constraintChecks: [ConformanceCheck] {
        [
            check("a violated unique key names the entity and its columns") { shelf in
                try shelf.insertAuthors("a")
                let error = try requireError(.uniqueViolation) {
                    try shelf.write {
                        try $0.apply([
                            .insert(entity: shelf.author, ValueRows([.integer(2), .text("a")]))
                        ])
                    }
                }
                try requireEqual(error.entity, "author")
                try requireEqual(error.columns, ["name"])
            },
            check("an ID that is there already is a violated unique key") { shelf in
                try shelf.insertAuthors("a")
                let error = try requireError(.uniqueViolation) {
                    try shelf.write {
                        try $0.apply([
                            .insert(entity: shelf.author, ValueRows([.integer(1), .text("b")]))
                        ])
                    }
                }
                try requireEqual(error.columns, ["id"])
            },
            check("a missing value names the entity and its column") { shelf in
                let error = try requireError(.notNullViolation) {
                    try shelf.write {
                        try $0.apply([
                            .insert(entity: shelf.author, ValueRows([.integer(1), .null]))
                        ])
                    }
                }
                try requireEqual(error.entity, "author")
                try requireEqual(error.columns, ["name"])
            },
            check("a row that joins a transaction without a savepoint is undone alone") { shelf in
                try shelf.insertAuthors("a")
                var isOffered = true
                func join(
                    _ row: ValueRows, _ entity: Int, _ session: any StoreWriteSession
                ) throws
                    -> (any Error)?
                {
                    switch try session.insertAlone(row, into: entity) {
                    case .inserted: return nil
                    case .refused(let error): return error
                    case .notOffered:
                        isOffered = false
                        return nil
                    }
                }
                try shelf.write { session in
                    try session.apply([
                        .insert(entity: shelf.author, ValueRows([.integer(2), .text("b")]))
                    ])
                    let repeated = try join(
                        ValueRows([.integer(3), .text("b")]), shelf.author, session)
                    let dangling = try join(
                        ValueRows(shelf.bookRow(1, author: 9)), shelf.book, session)
                    guard isOffered else { return }
                    _ = try requireError(.uniqueViolation) { if let repeated { throw repeated } }
                    _ = try requireError(.foreignKeyViolation) {
                        if let dangling { throw dangling }
                    }
                    try require(session.isInTransaction, "a refused row has ended the transaction")
                    let accepted = try join(
                        ValueRows(shelf.bookRow(1, author: 2)), shelf.book, session)
                    try require(accepted == nil, "a sound row was refused")
                }
                try requireEqual(try shelf.count(shelf.author), 2)
                try requireEqual(try shelf.count(shelf.book), isOffered ? 1 : 0)
            },
            check("unique values may be exchanged between rows") { shelf in
                try shelf.insertAuthors("a", "b")
                try shelf.write {
                    let rows = ValueRows(updates: [
                        [.text("b"), .integer(1)], [.text("a"), .integer(2)],
                    ])
                    try $0.apply([.update(entity: shelf.author, columns: [1], rows)])
                }
                let b = StorePredicate.comparison(.column(1), .equal, .value(.text("b")))
                let first = StorePredicate.comparison(.column(0), .equal, .value(.integer(1)))
                try requireEqual(try shelf.count(shelf.author, .all([b, first])), 1)
            },
            check("a reference may come before its target, but not without it") { shelf in
                try shelf.write {
                    try $0.apply([
                        .insert(entity: shelf.book, ValueRows(shelf.bookRow(1, author: 1))),
                        .insert(entity: shelf.author, ValueRows([.integer(1), .text("a")])),
                    ])
                }
                let error = try requireError(.foreignKeyViolation) {
                    try shelf.write {
                        try $0.apply([
                            .insert(entity: shelf.book, ValueRows(shelf.bookRow(2, author: 9)))
                        ])
                    }
                }
                try requireEqual(error.entity, "book")
                try requireEqual(error.columns, ["author"])
            },
            check("delete rules nullify, cascade and deny") { shelf in
                try shelf.insertAuthors("a", "b")
                try shelf.write {
                    try $0.apply([
                        .insert(entity: shelf.series, ValueRows([.text("s"), .integer(2)])),
                        .insert(
                            entity: shelf.book,
                            ValueRows(
                                shelf.bookRow(1, author: 1), shelf.bookRow(2, series: "s"))),
                    ])
                }
                let error = try requireError(.foreignKeyViolation) {
                    try shelf.write {
                        try $0.apply([.delete(entity: shelf.author, ValueRows([.integer(2)]))])
                    }
                }
                try requireEqual(error.entity, "series")
                try requireEqual(error.columns, ["owner"])
                try shelf.write {
                    try $0.apply([
                        .delete(entity: shelf.author, ValueRows([.integer(1)])),
                        .delete(entity: shelf.series, ValueRows([.text("s")])),
                    ])
                }
                try requireEqual(try shelf.allBooks(), [shelf.bookRow(1)])
            },
        ]
    }
}
