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

extension Country: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<Country, Country.ID>(0, Coding.of(Country.ID.self))
        let name = Column<Country, String>(1, Coding.of(String.self))
        let continent = Column<Country, Continent.ID?>(2, Coding.of(Continent.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Country.self, table: "country", id: Coding.of(Country.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("continent", Coding.of(Continent.ID?.self), onDelete: .cascade),
        ])

    static func column(at keyPath: PartialKeyPath<Country>) -> Int? {
        switch keyPath {
        case \Country.id: 0
        case \Country.name: 1
        case \Country.continent: 2
        default: nil
        }
    }

    init(id: Country.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Country.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
        continent = try row.value(Coding.of(Continent.ID?.self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Country.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        default: try parameters.bind(continent, Coding.of(Continent.ID?.self), at: position)
        }
    }

    func changedColumns(from other: Country) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        changed.insert(
            2, if: !Coding.of(Continent.ID?.self).areIdentical(continent, other.continent))
        return changed
    }
}

extension Continent: Entity {
    typealias RawID = UUID

    struct Columns: Sendable {
        let id = Column<Continent, Continent.ID>(0, Coding.of(Continent.ID.self))
        let name = Column<Continent, String>(1, Coding.of(String.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Continent.self, table: "continent", id: Coding.of(Continent.ID.self),
        columns: [ColumnSchema("name", Coding.of(String.self))])

    static func column(at keyPath: PartialKeyPath<Continent>) -> Int? {
        switch keyPath {
        case \Continent.id: 0
        case \Continent.name: 1
        default: nil
        }
    }

    init(id: Continent.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Continent.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Continent.ID.self), at: position)
        default: try parameters.bind(name, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Continent) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        return changed
    }
}
