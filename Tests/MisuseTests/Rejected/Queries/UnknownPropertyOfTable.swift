// A table has no column of a name that no property has.

import Skiathos

struct Parcel: Sendable {
    var id: EntityID<Parcel> = .unassigned
    var grams = 0
}

extension Parcel: TableEntity {
    init(id: Parcel.ID) { self.id = id }

    static let table = EntityTable("parcel", id: \Parcel.id) {
        EntityColumn("grams", \.grams)
    }
}

func misuse(_ context: ReadContext) throws -> [Parcel] {
    try Parcel.all(where: { $0.kilograms > 2 }, in: context)
    // expected-error: has no dynamic member 'kilograms'
}
