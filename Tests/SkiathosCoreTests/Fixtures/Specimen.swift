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

extension Specimen: TableEntity {
    init(id: Specimen.ID) { self.id = id }

    static let table = EntityTable("specimen", id: \Specimen.id) {
        EntityColumn("number", \.number, .indexed)
        EntityColumn("optionalNumber", \.optionalNumber)
        EntityColumn("size", \.size)
        EntityColumn("optionalSize", \.optionalSize)
        EntityColumn("text", \.text, .indexed)
        EntityColumn("optionalText", \.optionalText)
        EntityColumn("flag", \.flag)
        EntityColumn("optionalFlag", \.optionalFlag)
        EntityColumn("date", \.date)
        EntityColumn("optionalDate", \.optionalDate)
        EntityColumn("key", \.key)
        EntityColumn("optionalKey", \.optionalKey)
        EntityColumn("price", \.price)
        EntityColumn("optionalPrice", \.optionalPrice)
        EntityColumn("kind", \.kind)
        EntityColumn("optionalKind", \.optionalKind)
        EntityColumn("parent", \.parent)
        EntityColumn("detail", \.detail)
        EntityColumn("optionalDetail", \.optionalDetail)
    }
}
