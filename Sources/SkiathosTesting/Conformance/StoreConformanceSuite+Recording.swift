import SkiathosPlatformFoundation
import SkiathosStore

// A backend that makes no records keeps these rules as well.
extension StoreConformanceSuite {
    var recordingChecks: [ConformanceCheck] {
        [
            libraryCheck("recorded changes lead from the rows before to the rows afterwards") {
                shelf in
                try shelf.requireTruth { session in
                    try session.apply([
                        .insert(entity: shelf.author, ValueRows([.integer(9), .text("Eva")])),
                        .update(
                            entity: shelf.book, columns: [2, 5],
                            ValueRows(updates: [[.integer(7), .integer(9), .integer(1)]])),
                        .insert(
                            entity: shelf.book, ValueRows(shelf.bookRow(10, cover: [0, 255]))),
                    ])
                    let better = StorePredicate.comparison(.column(2), .less, .value(.integer(3)))
                    _ = try session.update(
                        FetchRequest(entity: shelf.book, predicate: better),
                        [StoreAssignment(column: 2, .add(.integer(1)))])
                    // Nullifies the references of books.
                    try session.apply([.delete(entity: shelf.author, ValueRows([.integer(1)]))])
                    // Deletes the copies of the book as well.
                    let third = StorePredicate.comparison(.column(0), .equal, .value(.integer(3)))
                    _ = try session.delete(FetchRequest(entity: shelf.book, predicate: third))
                }
                try shelf.requireTruth { session in
                    _ = try session.delete(FetchRequest(entity: shelf.copy))
                }
                try shelf.requireTruth { try $0.deleteEverything() }
            },
            libraryCheck("a record has no changes that were rolled back") { shelf in
                try shelf.requireTruth { session in
                    let author = ValueRows([.integer(10), .text("Eva")])
                    try session.openSavepoint()
                    try session.apply([.insert(entity: shelf.author, author)])
                    try session.openSavepoint()
                    _ = try session.delete(FetchRequest(entity: shelf.copy))
                    try session.rollbackSavepoint()
                    try session.rollbackSavepoint()
                    let taken = ValueRows(
                        [.integer(11), .text("Dan")], [.integer(12), .text("Ada")])
                    _ = try requireError(.uniqueViolation) {
                        try session.apply([.insert(entity: shelf.author, taken)])
                    }
                    try session.openSavepoint()
                    try session.apply([.insert(entity: shelf.author, author)])
                    try session.releaseSavepoint()
                }
            },
            libraryCheck("a record has the entities alone that it was asked for") { shelf in
                try shelf.requireTruth([shelf.copy]) { session in
                    _ = try session.delete(FetchRequest(entity: shelf.book))
                }
                try shelf.requireTruth([]) { session in
                    _ = try session.delete(FetchRequest(entity: shelf.author))
                }
            },
            libraryCheck("past its limit a record names the entities that have changed") { shelf in
                var record: RecordedRowChanges?
                try shelf.write { session in
                    record = try session.recordingChanges(
                        of: [shelf.author, shelf.book, shelf.copy], limit: RecordingLimit(rows: 2)
                    ) {
                        _ = try session.delete(FetchRequest(entity: shelf.copy))
                    }
                }
                guard let record else { return }
                try require(
                    record.incomplete.contains(shelf.copy),
                    "6 rows were deleted, and only \(record.changes.count) of them are known")
                try requireEqual(record.changes, [])
            },
        ]
    }
}

extension ConformanceStore {
    /// Checks the record of a closure against the rows before and afterwards.
    fileprivate func requireTruth(
        _ asked: Set<Int>? = nil, _ body: (any StoreWriteSession) throws -> Void
    ) throws {
        let all: Set = [author, book, series, copy]
        let asked = asked ?? all
        try write { session in
            let before = try contents(all, session)
            let record = try session.recordingChanges(of: asked, limit: RecordingLimit()) {
                try body(session)
            }
            let after = try contents(all, session)
            guard let record else { return }
            try require(record.incomplete.isSubset(of: asked), "it has other entities")
            let known = asked.subtracting(record.incomplete)
            for change in record.changes {
                try require(known.contains(change.entity), "it has a row of another entity")
            }
            for entity in known {
                var rows = before[entity] ?? [:]
                for change in record.changes where change.entity == entity {
                    try apply(change, to: &rows)
                }
                try requireEqual(rows, after[entity] ?? [:])
            }
        }
    }

    private func apply(_ change: StoreRowChange, to rows: inout [StoreValue: [StoreValue]]) throws {
        switch change.kind {
        case .insert: try require(change.before == nil, "an inserted row was there before")
        case .update: try require(change.before != nil, "an updated row was not there before")
        case .delete: try require(change.after == nil, "a deleted row is there afterwards")
        }
        let storage = store.schema.entities[change.entity].columns.map(\.storage)
        if let before = change.before.map({ Self.comparable($0, storage) }) {
            try requireEqual(rows.removeValue(forKey: before[0]), before)
        }
        if let after = change.after.map({ Self.comparable($0, storage) }) {
            try requireEqual(rows.updateValue(after, forKey: after[0]), nil)
        }
    }

    /// A row as ``values(_:_:)`` would have it.
    private static func comparable(_ row: [StoreValue], _ storage: [StorageClass]) -> [StoreValue] {
        zip(row, storage).map { value, storage in
            guard storage == .decimal, case .text(let text) = value else { return value }
            return Decimal(string: text).map { .text("\($0)") } ?? value
        }
    }

    /// The rows of entities by their IDs.
    private func contents(
        _ entities: Set<Int>, _ session: any StoreSession
    ) throws -> [Int: [StoreValue: [StoreValue]]] {
        var contents: [Int: [StoreValue: [StoreValue]]] = [:]
        for entity in entities {
            let storage = store.schema.entities[entity].columns.map(\.storage)
            var rows: [StoreValue: [StoreValue]] = [:]
            try session.fetch(FetchRequest(entity: entity)) { cursor in
                while cursor.next() {
                    let row = Self.values(cursor.row, storage)
                    rows[row[0]] = row
                }
            }
            contents[entity] = rows
        }
        return contents
    }
}
