import Foundation
import Skiathos

/// A country, whose ID is chosen by the caller.
struct Country: Sendable, Equatable {
    var id: EntityID<Country> = .unassigned
    var name = ""
    var continent: Continent.ID?
}

/// A continent, whose ID is made of time and chance, and with which its countries go.
struct Continent: Sendable, Equatable {
    var id: EntityID<Continent> = .unassigned
    var name = ""
}

extension Country: TableEntity {
    typealias RawID = String

    init(id: Country.ID) { self.id = id }

    static let table = EntityTable("country", id: \Country.id) {
        EntityColumn("name", \.name)
        EntityColumn("continent", \.continent, .references(onDelete: .cascade))
    }
}

extension Continent: TableEntity {
    typealias RawID = UUID

    init(id: Continent.ID) { self.id = id }

    static let table = EntityTable("continent", id: \Continent.id) {
        EntityColumn("name", \.name)
    }
}
