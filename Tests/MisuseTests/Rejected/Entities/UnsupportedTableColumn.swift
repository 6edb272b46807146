// A table lists properties whose types can be stored.

import Skiathos

struct Weight: Sendable {}

struct Parcel: Sendable {
    var id: EntityID<Parcel> = .unassigned
    var weight = Weight()
}

extension Parcel: TableEntity {
    init(id: Parcel.ID) { self.id = id }

    static let table = EntityTable("parcel", id: \Parcel.id) {
        EntityColumn("weight", \.weight)
        // expected-error: this type cannot be stored in a column
    }
}
