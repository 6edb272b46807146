import Foundation
import Skiathos

/// A value for random queries: a column of every kind, optional and not, a reference to its own kind,
/// and values with fields.
struct Specimen: Sendable {
    enum Kind: String, Sendable, CaseIterable, Codable { case round, angular, flat }

    var id: EntityID<Specimen> = .unassigned
    var number = 0
    var optionalNumber: Int?
    var size = 0.0
    var optionalSize: Double?
    var text = ""
    var optionalText: String?
    var flag = false
    var optionalFlag: Bool?
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var optionalDate: Date?
    var key = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    var optionalKey: UUID?
    var price = Decimal(0)
    var optionalPrice: Decimal?
    var kind = Kind.round
    var optionalKind: Kind?
    var parent: Specimen.ID?
    var detail = Detail()
    var optionalDetail: Detail?

    var children: ToMany<Specimen> { ToMany(\.parent, of: id) }
}

extension Specimen: Entity {
    struct Columns: Sendable {
        let id = Column<Specimen, Specimen.ID>(0, Coding.of(Specimen.ID.self))
        let number = Column<Specimen, Int>(1, Coding.of(Int.self))
        let optionalNumber = Column<Specimen, Int?>(2, Coding.of(Int?.self))
        let size = Column<Specimen, Double>(3, Coding.of(Double.self))
        let optionalSize = Column<Specimen, Double?>(4, Coding.of(Double?.self))
        let text = Column<Specimen, String>(5, Coding.of(String.self))
        let optionalText = Column<Specimen, String?>(6, Coding.of(String?.self))
        let flag = Column<Specimen, Bool>(7, Coding.of(Bool.self))
        let optionalFlag = Column<Specimen, Bool?>(8, Coding.of(Bool?.self))
        let date = Column<Specimen, Date>(9, Coding.of(Date.self))
        let optionalDate = Column<Specimen, Date?>(10, Coding.of(Date?.self))
        let key = Column<Specimen, UUID>(11, Coding.of(UUID.self))
        let optionalKey = Column<Specimen, UUID?>(12, Coding.of(UUID?.self))
        let price = Column<Specimen, Decimal>(13, Coding.of(Decimal.self))
        let optionalPrice = Column<Specimen, Decimal?>(14, Coding.of(Decimal?.self))
        let kind = Column<Specimen, Kind>(15, Coding.of(Kind.self))
        let optionalKind = Column<Specimen, Kind?>(16, Coding.of(Kind?.self))
        let parent = Column<Specimen, Specimen.ID?>(17, Coding.of(Specimen.ID?.self))
        let detail = Column<Specimen, Detail>(18, Coding.of(Detail.self))
        let optionalDetail = Column<Specimen, Detail?>(19, Coding.of(Detail?.self))
        let children = Relation(\Specimen.children)
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Specimen.self, table: "specimen", id: Coding.of(Specimen.ID.self),
        columns: [
            ColumnSchema("number", Coding.of(Int.self)),
            ColumnSchema("optionalNumber", Coding.of(Int?.self)),
            ColumnSchema("size", Coding.of(Double.self)),
            ColumnSchema("optionalSize", Coding.of(Double?.self)),
            ColumnSchema("text", Coding.of(String.self)),
            ColumnSchema("optionalText", Coding.of(String?.self)),
            ColumnSchema("flag", Coding.of(Bool.self)),
            ColumnSchema("optionalFlag", Coding.of(Bool?.self)),
            ColumnSchema("date", Coding.of(Date.self)),
            ColumnSchema("optionalDate", Coding.of(Date?.self)),
            ColumnSchema("key", Coding.of(UUID.self)),
            ColumnSchema("optionalKey", Coding.of(UUID?.self)),
            ColumnSchema("price", Coding.of(Decimal.self)),
            ColumnSchema("optionalPrice", Coding.of(Decimal?.self)),
            ColumnSchema("kind", Coding.of(Kind.self)),
            ColumnSchema("optionalKind", Coding.of(Kind?.self)),
            ColumnSchema("parent", Coding.of(Specimen.ID?.self)),
            ColumnSchema("detail", Coding.of(Detail.self)),
            ColumnSchema("optionalDetail", Coding.of(Detail?.self)),
        ], indexed: ["number", "text"])

    private static let keyPaths: [any PartialKeyPath<Specimen> & Sendable] = [
        \.id, \.number, \.optionalNumber, \.size, \.optionalSize, \.text, \.optionalText, \.flag,
        \.optionalFlag, \.date, \.optionalDate, \.key, \.optionalKey, \.price, \.optionalPrice,
        \.kind, \.optionalKind, \.parent, \.detail, \.optionalDetail,
    ]

    static func column(at keyPath: PartialKeyPath<Specimen>) -> Int? {
        keyPaths.firstIndex { $0 == keyPath }
    }

    init(id: Specimen.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Specimen.ID.self), at: 0)
        number = try row.value(Coding.of(Int.self), at: 1)
        optionalNumber = try row.value(Coding.of(Int?.self), at: 2)
        size = try row.value(Coding.of(Double.self), at: 3)
        optionalSize = try row.value(Coding.of(Double?.self), at: 4)
        text = try row.value(Coding.of(String.self), at: 5)
        optionalText = try row.value(Coding.of(String?.self), at: 6)
        flag = try row.value(Coding.of(Bool.self), at: 7)
        optionalFlag = try row.value(Coding.of(Bool?.self), at: 8)
        date = try row.value(Coding.of(Date.self), at: 9)
        optionalDate = try row.value(Coding.of(Date?.self), at: 10)
        key = try row.value(Coding.of(UUID.self), at: 11)
        optionalKey = try row.value(Coding.of(UUID?.self), at: 12)
        price = try row.value(Coding.of(Decimal.self), at: 13)
        optionalPrice = try row.value(Coding.of(Decimal?.self), at: 14)
        kind = try row.value(Coding.of(Kind.self), at: 15)
        optionalKind = try row.value(Coding.of(Kind?.self), at: 16)
        parent = try row.value(Coding.of(Specimen.ID?.self), at: 17)
        detail = try row.value(Coding.of(Detail.self), at: 18)
        optionalDetail = try row.value(Coding.of(Detail?.self), at: 19)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Specimen.ID.self), at: position)
        case 1: try parameters.bind(number, Coding.of(Int.self), at: position)
        case 2: try parameters.bind(optionalNumber, Coding.of(Int?.self), at: position)
        case 3: try parameters.bind(size, Coding.of(Double.self), at: position)
        case 4: try parameters.bind(optionalSize, Coding.of(Double?.self), at: position)
        case 5: try parameters.bind(text, Coding.of(String.self), at: position)
        case 6: try parameters.bind(optionalText, Coding.of(String?.self), at: position)
        case 7: try parameters.bind(flag, Coding.of(Bool.self), at: position)
        case 8: try parameters.bind(optionalFlag, Coding.of(Bool?.self), at: position)
        case 9: try parameters.bind(date, Coding.of(Date.self), at: position)
        case 10: try parameters.bind(optionalDate, Coding.of(Date?.self), at: position)
        case 11: try parameters.bind(key, Coding.of(UUID.self), at: position)
        case 12: try parameters.bind(optionalKey, Coding.of(UUID?.self), at: position)
        case 13: try parameters.bind(price, Coding.of(Decimal.self), at: position)
        case 14: try parameters.bind(optionalPrice, Coding.of(Decimal?.self), at: position)
        case 15: try parameters.bind(kind, Coding.of(Kind.self), at: position)
        case 16: try parameters.bind(optionalKind, Coding.of(Kind?.self), at: position)
        case 17: try parameters.bind(parent, Coding.of(Specimen.ID?.self), at: position)
        case 18: try parameters.bind(detail, Coding.of(Detail.self), at: position)
        default: try parameters.bind(optionalDetail, Coding.of(Detail?.self), at: position)
        }
    }

    func changedColumns(from other: Specimen) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int.self).areIdentical(number, other.number))
        changed.insert(
            2, if: !Coding.of(Int?.self).areIdentical(optionalNumber, other.optionalNumber))
        changed.insert(3, if: !Coding.of(Double.self).areIdentical(size, other.size))
        changed.insert(
            4, if: !Coding.of(Double?.self).areIdentical(optionalSize, other.optionalSize))
        changed.insert(5, if: !Coding.of(String.self).areIdentical(text, other.text))
        changed.insert(
            6, if: !Coding.of(String?.self).areIdentical(optionalText, other.optionalText))
        changed.insert(7, if: !Coding.of(Bool.self).areIdentical(flag, other.flag))
        changed.insert(8, if: !Coding.of(Bool?.self).areIdentical(optionalFlag, other.optionalFlag))
        changed.insert(9, if: !Coding.of(Date.self).areIdentical(date, other.date))
        changed.insert(
            10, if: !Coding.of(Date?.self).areIdentical(optionalDate, other.optionalDate))
        changed.insert(11, if: !Coding.of(UUID.self).areIdentical(key, other.key))
        changed.insert(12, if: !Coding.of(UUID?.self).areIdentical(optionalKey, other.optionalKey))
        changed.insert(13, if: !Coding.of(Decimal.self).areIdentical(price, other.price))
        changed.insert(
            14, if: !Coding.of(Decimal?.self).areIdentical(optionalPrice, other.optionalPrice))
        changed.insert(15, if: !Coding.of(Kind.self).areIdentical(kind, other.kind))
        changed.insert(
            16, if: !Coding.of(Kind?.self).areIdentical(optionalKind, other.optionalKind))
        changed.insert(17, if: !Coding.of(Specimen.ID?.self).areIdentical(parent, other.parent))
        changed.insert(18, if: !Coding.of(Detail.self).areIdentical(detail, other.detail))
        changed.insert(
            19, if: !Coding.of(Detail?.self).areIdentical(optionalDetail, other.optionalDetail))
        return changed
    }
}
