// A fetched value gets its properties from the row, so a column needs one that can be set.

import Skiathos

struct Parcel: Sendable {
    var id: EntityID<Parcel> = .unassigned
    var grams = 0
    var kilograms: Int { grams / 1_000 }
}

extension Parcel: TableEntity {
    init(id: Parcel.ID) { self.id = id }

    static let table = EntityTable("parcel", id: \Parcel.id) {
        EntityColumn("grams", \.grams)
        EntityColumn("kilograms", \.kilograms)
        // expected-error: a property that cannot be set has no column
    }
}
