// The store cannot compute a property that has no column.

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
    }
}

func misuse(_ context: ReadContext) throws -> [Parcel] {
    try Parcel.all(where: { $0.kilograms > 2 }, in: context)
    // expected-error: 'kilograms' is a get-only property
}
