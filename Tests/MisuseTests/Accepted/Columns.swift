// Every kind of type that a column can keep, and one of a user's own.

import Foundation
import Skiathos

enum Status: String { case active, retired }
enum Level: Int, Codable { case low, high }
struct Address: Codable, Hashable { var street = "" }

struct Meters: ColumnValue, Comparable {
    var value: Double

    init(_ value: Double) { self.value = value }

    static var storage: StorageClass { .real }
    init(row: RowReader, column: Int) throws { value = row.real(at: column) }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(value, at: position)
    }

    static func < (left: Meters, right: Meters) -> Bool { left.value < right.value }
}

let schemas = [
    ColumnSchema("flag", Coding.of(Bool.self)), ColumnSchema("flag", Coding.of(Bool?.self)),
    ColumnSchema("number", Coding.of(Int.self)), ColumnSchema("number", Coding.of(UInt8?.self)),
    ColumnSchema("number", Coding.of(Int64.self)), ColumnSchema("number", Coding.of(Float.self)),
    ColumnSchema("number", Coding.of(Double?.self)), ColumnSchema("text", Coding.of(String.self)),
    ColumnSchema("bytes", Coding.of(Data.self)), ColumnSchema("date", Coding.of(Date?.self)),
    ColumnSchema("uuid", Coding.of(UUID.self)), ColumnSchema("url", Coding.of(URL?.self)),
    ColumnSchema("price", Coding.of(Decimal.self)), ColumnSchema("raw", Coding.of(Status.self)),
    ColumnSchema("raw", Coding.of(Status?.self)), ColumnSchema("raw", Coding.of(Level.self)),
    ColumnSchema("json", Coding.of(Address.self)), ColumnSchema("json", Coding.of(Address?.self)),
    ColumnSchema("json", Coding.of([String].self)),
    ColumnSchema("json", Coding.of([Int: Date].self)),
    ColumnSchema("own", Coding.of(Meters.self)), ColumnSchema("own", Coding.of(Meters?.self)),
    ColumnSchema("company", Coding.of(Company.ID?.self), onDelete: .cascade),
    ColumnSchema("user", Coding.of(User.ID.self), onDelete: .deny),
]

func conditions() -> [Condition<User>] {
    let status = Column<User, Status>(1, Coding.of(Status.self))
    let former = Column<User, Status?>(1, Coding.of(Status?.self))
    let address = Column<User, Address>(1, Coding.of(Address.self))
    let size = Column<User, Meters>(1, Coding.of(Meters.self))
    let since = Column<User, Date?>(1, Coding.of(Date?.self))
    let score = Column<User, Double?>(1, Coding.of(Double?.self))
    let isRetired = Column<User, Bool>(1, Coding.of(Bool.self))
    return [
        status == .active, status != .retired, status.in([.active, .retired]), former == nil,
        former == .retired, address == Address(street: "Main Street"), size > Meters(1.5),
        size.in(Meters(1)...Meters(2)), since > Date(), since == nil, since.in(Date()...),
        score > 1, score <= 1.5, score == 2, score.in(0..<0.5), isRetired == true,
        !(isRetired == false),
    ]
}
