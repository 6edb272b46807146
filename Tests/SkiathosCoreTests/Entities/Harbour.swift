import Foundation
import Skiathos
import SkiathosTesting

/// A ship: a column of every way to store a property.
struct Ship: Sendable, Equatable {
    enum Rig: String, Sendable { case sloop, brig }

    /// A number that says itself how it is stored, and has a raw value beside.
    struct Tonnage: RawRepresentable, ColumnValue, Equatable {
        var rawValue: Int

        static var storage: StorageClass { .integer }
        init(rawValue: Int) { self.rawValue = rawValue }
        init(row: RowReader, column: Int) throws {
            rawValue = try Int(row: row, column: column) - 1_000
        }
        func bind(to parameters: ParameterWriter, at position: Int) throws {
            try (rawValue + 1_000).bind(to: parameters, at: position)
        }
    }

    struct Hull: Codable, Embedded, Equatable {
        var material = "oak"
        var length = 20
        static let fields: [EmbeddedField<Hull>] = [
            EmbeddedField(\.material, CodingKeys.material),
            EmbeddedField(\.length, CodingKeys.length),
        ]
    }

    /// Stores knots as tenths.
    enum Tenths: ColumnCoding {
        static var storage: StorageClass { .integer }
        static var isOptional: Bool { false }
        static var referencedType: Any.Type? { nil }
        static func read(_ row: RowReader, _ column: Int) throws -> Double {
            Double(row.integer(at: column)) / 10
        }
        static func bind(
            _ value: Double, _ parameters: ParameterWriter, _ position: Int
        ) throws {
            try parameters.bind(Int64(value * 10), at: position)
        }
        static func areIdentical(_ left: Double, _ right: Double) -> Bool { left == right }
    }

    var id: EntityID<Ship> = .unassigned
    var name = ""
    var motto: String?
    var masts = 1
    var isAfloat = true
    var draught = 2.5
    var price = Decimal(100)
    var plan = Data()
    var launched = Date(timeIntervalSinceReferenceDate: 0)
    var rig = Rig.sloop
    var formerRig: Rig?
    var tonnage = Tonnage(rawValue: 30)
    var ballast: Tonnage?
    var crew: Set<String> = []
    var figurehead: [String]?
    var hull = Hull()
    var speed = 6.5
    var home: Port.ID?
    /// Has no column.
    var changesOfPlan = 0

    /// Has a column, although it is computed.
    var halfDraught: Double {
        get { draught / 2 }
        set { draught = newValue * 2 }
    }
    var title: String { "the \(name)" }

    var calls: ToMany<Call> { ToMany(\.ship, of: id) }
    var ports: ManyToMany<Port, Call> { ManyToMany(\.ship, \.port, of: id) }
}

extension Ship: TableEntity {
    init(id: Ship.ID) { self.id = id }

    static let table = EntityTable("ship", id: \Ship.id) {
        EntityColumn("name", \.name, .unique, .searchable)
        EntityColumn("motto", \.motto)
        EntityColumn("masts", \.masts, .indexed)
        EntityColumn("isAfloat", \.isAfloat)
        EntityColumn("halfDraught", \.halfDraught)
        EntityColumn("price", \.price)
        EntityColumn("plan", \.plan)
        EntityColumn("launched", \.launched)
        EntityColumn("rig", \.rig)
        EntityColumn("formerRig", \.formerRig, .unique(with: \.home, \.launched))
        EntityColumn("tonnage", \.tonnage)
        EntityColumn("ballast", \.ballast)
        EntityColumn("crew", \.crew)
        EntityColumn("figurehead", \.figurehead)
        EntityColumn("hull", \.hull)
        EntityColumn("speed", \.speed, coding: Tenths.self, .indexed)
        EntityColumn("home", \.home)
    }
}

/// A port, whose ID is chosen by the caller.
struct Port: Sendable, Equatable {
    var id: EntityID<Port> = .unassigned
    var name = ""
    var district: Port.ID?

    var ships: ToMany<Ship> { ToMany(\.home, of: id) }
}

extension Port: TableEntity {
    typealias RawID = String

    init(id: Port.ID) { self.id = id }

    static let table = EntityTable("port", id: \Port.id) {
        EntityColumn("name", \.name)
        EntityColumn("district", \.district)
    }
}

/// A call of a ship at a port, which goes with its ship and keeps its port.
struct Call: Sendable, Equatable {
    var id: EntityID<Call> = .unassigned
    var ship: Ship.ID = .unassigned
    var port: Port.ID = .unassigned
    var days = 1
}

extension Call: TableEntity {
    typealias RawID = UUID

    init(id: Call.ID) { self.id = id }

    static let table = EntityTable("call", id: \Call.id) {
        EntityColumn("ship", \.ship, .references(onDelete: .cascade), .unique(with: \.port))
        EntityColumn("port", \.port, .references(onDelete: .deny))
        EntityColumn("days", \.days)
    }
}

/// Opens a store with ships, ports and calls, and checks on the way out that the test has left it
/// sound.
func withHarbour(
    _ place: Place = .memory, _ body: @Sendable (DataAccessLayer) async throws -> Void
) async throws {
    let directory = try TemporaryDirectory()
    let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("h.sqlite"))
    try await withStore(source, entities: [Ship.self, Port.self, Call.self], body)
    withExtendedLifetime(directory) {}
}

extension Ship {
    /// A value in which no property has its default.
    static var full: Ship {
        var ship = Ship()
        ship.name = "Argo"
        ship.motto = "Zoë \u{1F600} e\u{301}"
        ship.masts = -3
        ship.isAfloat = false
        ship.draught = 3.75
        ship.price = Decimal(string: "-12345678901234567890.0123456789") ?? 0
        ship.plan = Data([0, 255, 0, 1])
        ship.launched = Date(timeIntervalSinceReferenceDate: 786_543_210.25)
        ship.rig = .brig
        ship.formerRig = .sloop
        ship.tonnage = Tonnage(rawValue: -7)
        ship.ballast = Tonnage(rawValue: 5)
        ship.crew = ["Jason", "Orpheus", "Atalanta"]
        ship.figurehead = ["Hera"]
        ship.hull = Hull(material: "pine", length: 31)
        ship.speed = 7.5
        return ship
    }
}
