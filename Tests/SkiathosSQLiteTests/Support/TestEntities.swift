import Foundation
public import SkiathosStore

/// The ID of a row of `Target`, as a reference to it.
struct Reference<Target>: ColumnValue, Equatable {
    var id: Int64
    static var storage: StorageClass { .integer }
    static var referencedType: Any.Type? { Target.self }
    init(_ id: Int64) { self.id = id }
    init(row: RowReader, column: Int) throws { id = row.integer(at: column) }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(id, at: position)
    }
}

enum Company {}
enum User {}
enum Invoice {}
enum Badge {}
enum Tag {}

/// Entities that among them have every storage class, key, rule and index.
enum TestEntities {
    static let company = EntitySchema(
        Company.self, table: "company", id: Coding.of(Int64.self),
        columns: [ColumnSchema("name", Coding.of(String.self))], unique: [["name"]])

    static let user = EntitySchema(
        User.self, table: "user", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("firstname", Coding.of(String.self)),
            ColumnSchema("email", Coding.of(String?.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("score", Coding.of(Double?.self)),
            ColumnSchema("photo", Coding.of(Data?.self)),
            ColumnSchema("balance", Coding.of(Decimal?.self)),
            ColumnSchema("company", Coding.of(Reference<Company>?.self)),
        ], unique: [["email"]], indexed: ["age"])

    static let invoice = EntitySchema(
        Invoice.self, table: "invoice", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("number", Coding.of(Int.self)),
            ColumnSchema("payer", Coding.of(Reference<User>.self)),
        ], unique: [["payer", "number"]])

    static let badge = EntitySchema(
        Badge.self, table: "badge", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("owner", Coding.of(Reference<User>.self), onDelete: .cascade),
            ColumnSchema("code", Coding.of(Data.self)),
            ColumnSchema("rank", Coding.of(Double.self)),
        ], unique: [["code"], ["rank"]])

    /// A table, columns and a key that need quoting or are not integers.
    static let tag = EntitySchema(
        Tag.self, table: "odd \"tag\", really", id: Coding.of(String.self),
        columns: [ColumnSchema("the \"order\".x", Coding.of(String?.self))],
        unique: [["the \"order\".x"]])

    static let all = [company, user, invoice, badge, tag]

    static func schema(_ entities: [EntitySchema] = all) throws -> StoreSchema {
        try StoreSchema(entities)
    }
}

/// Columns of `user` by name.
enum UserColumn {
    static let firstname = 1
    static let email = 2
    static let age = 3
    static let score = 4
    static let photo = 5
    static let balance = 6
    static let company = 7
}

/// Rows that are kept as plain values; the ID is the last value of an update and the only one of a
/// deletion.
struct Rows: RowSource {
    var rows: [[StoreValue]]
    /// Where the ID is: first for insertions, last for updates.
    var idIsLast = false

    init(_ rows: [[StoreValue]], idIsLast: Bool = false) {
        self.rows = rows
        self.idIsLast = idIsLast
    }

    func sendRows(to sink: inout RowSink) throws {
        for row in rows {
            for (position, value) in row.enumerated() {
                try value.bind(to: sink.parameters, at: position)
            }
            try sink.send()
        }
    }

    func sendIDs(to sink: inout RowSink) throws {
        for row in rows {
            try (idIsLast ? row[row.count - 1] : row[0]).bind(to: sink.parameters, at: 0)
            try sink.send()
        }
    }
}

/// Rows that a backend may ask for as well.
struct LendableRows: RowSource {
    var rows: Rows

    init(_ rows: [[StoreValue]], idIsLast: Bool = false) {
        self.rows = Rows(rows, idIsLast: idIsLast)
    }

    var lendableCount: Int { rows.rows.count }

    func sendRows(to sink: inout RowSink) throws { try rows.sendRows(to: &sink) }
    func sendIDs(to sink: inout RowSink) throws { try rows.sendIDs(to: &sink) }

    func lendRows(to body: (LentRows) throws -> Void) throws { try lend(rows.rows, body) }

    func lendIDs(to body: (LentRows) throws -> Void) throws {
        try lend(rows.rows.map { [rows.idIsLast ? $0[$0.count - 1] : $0[0]] }, body)
    }

    private func lend(_ rows: [[StoreValue]], _ body: (LentRows) throws -> Void) throws {
        var current = 0
        let lent = LentRows(
            count: rows.count, move: { current = $0 },
            bind: { try rows[current][$0].bind(to: $1, at: 0) })
        try body(lent)
    }
}

extension StoreValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral,
    ExpressibleByFloatLiteral, ExpressibleByNilLiteral
{
    /// Makes the value of a literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Makes the value of a literal.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Makes the value of a literal.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Makes the value of a literal.
    public init(nilLiteral: ()) { self = .null }
}
