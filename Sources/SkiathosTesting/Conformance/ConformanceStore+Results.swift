import SkiathosPlatformFoundation
import SkiathosStore

extension ConformanceStore {
    /// What a request computes, each result in the form of its storage class.
    func results(
        _ request: ProjectionRequest, _ storage: [StorageClass]
    ) throws -> [[StoreValue]] {
        var rows: [[StoreValue]] = []
        try read { session in
            try session.fetch(request) { cursor in
                while cursor.next() {
                    rows.append(Self.values(cursor.row, storage))
                }
            }
        }
        return rows
    }

    /// What is computed from each row of an entity, in the order of the IDs.
    func results(
        of entity: Int, _ expressions: [(StoreExpression, StorageClass)],
        where predicate: StorePredicate? = nil
    ) throws -> [[StoreValue]] {
        let rows = FetchRequest(
            entity: entity, predicate: predicate, order: [.init(.column(0), descending: false)])
        return try results(ProjectionRequest(expressions.map(\.0), of: rows), expressions.map(\.1))
    }

    /// Results of a row, each in the form of its storage class.
    static func values(_ row: RowReader, _ storage: [StorageClass]) -> [StoreValue] {
        storage.indices.map { value(row, $0, storage[$0]) }
    }

    private static func value(
        _ row: RowReader, _ column: Int, _ storage: StorageClass
    ) -> StoreValue {
        guard !row.isNull(at: column) else { return .null }
        return switch storage {
        case .integer: .integer(row.integer(at: column))
        case .real: .real(row.real(at: column))
        case .text: row.text(at: column).map { .text($0) } ?? .null
        case .blob: row.withBytes(at: column) { .blob([UInt8]($0)) }
        case .decimal:
            // Backends may write a number in more than one way.
            row.text(at: column).flatMap { Decimal(string: $0) }.map { .text("\($0)") } ?? .null
        }
    }

    /// A copy of a book.
    func copyRow(
        _ id: Int64, of book: Int64? = nil, price: String? = nil, bought: Double? = nil,
        note: String? = nil
    ) -> [StoreValue] {
        [
            .integer(id), book.map { .integer($0) } ?? .null, price.map { .text($0) } ?? .null,
            bought.map { .real($0) } ?? .null, note.map { .text($0) } ?? .null,
        ]
    }

    /// The IDs of the rows of an entity that meet a condition, in ascending order.
    func ids(of entity: Int, where predicate: StorePredicate) throws -> [Int64] {
        try results(of: entity, [(.column(0), .integer)], where: predicate).compactMap {
            if case .integer(let id) = $0.first { id } else { nil }
        }
    }
}

extension StoreConformanceSuite {
    /// A check with three authors, five books and six copies.
    ///
    /// The ratings of the books are none, 1, 2, 2, 3; their authors none, 1, 1, 2, none; author 3
    /// has no book. The copies are of the books 2, 2, 3, 3, 3 and of none.
    func libraryCheck(
        _ rule: String, _ body: @escaping (ConformanceStore) throws -> Void
    ) -> ConformanceCheck {
        check(rule) { shelf in
            try shelf.insertAuthors("Ada", "Bob", "Cid")
            try shelf.write { session in
                let books = ValueRows(
                    shelf.bookRow(1), shelf.bookRow(2, title: "", rating: 1, author: 1),
                    shelf.bookRow(3, title: "Öl", rating: 2, weight: 0.5, author: 1),
                    shelf.bookRow(4, title: "öl auf Holz", rating: 2, weight: -2.5, author: 2),
                    shelf.bookRow(5, title: " 50 % Öl ", rating: 3, weight: 1.25))
                let copies = ValueRows(
                    shelf.copyRow(1, of: 2, price: "9", bought: 0, note: "9"),
                    shelf.copyRow(2, of: 2, price: "10", bought: -0.25, note: "10"),
                    shelf.copyRow(3, of: 3, price: "9.99", bought: -1_000_000_000, note: "a"),
                    shelf.copyRow(4, of: 3), shelf.copyRow(5, of: 3, price: "-1.5"),
                    shelf.copyRow(6, price: "0.1", bought: 86_399.5, note: "9"))
                try session.apply([
                    .insert(entity: shelf.book, books), .insert(entity: shelf.copy, copies),
                ])
            }
            try body(shelf)
        }
    }
}
