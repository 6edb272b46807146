import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// An entity that a table of key paths describes is stored as any other.
@Suite(.generousTimeLimit) struct TableEntityTests {
    @Test(arguments: Place.allCases)
    func `every kind of column gives back what was stored`(_ place: Place) async throws {
        try await withHarbour(place) { dal in
            for ship in [Ship(), .full] {
                let id = try await dal.write { try Ship.insert(ship, in: $0).id }
                var wanted = ship
                wanted.id = id
                let found: Ship? = try await dal.read { try Ship.find(id, in: $0) }
                #expect(found == wanted)
                let all: [Ship] = try await dal.read {
                    try Ship.all(where: { $0.id == id }, in: $0)
                }
                #expect(all == [wanted])
            }
        }
    }

    @Test func `a property that the table does not list is not stored`() async throws {
        try await withHarbour { dal in
            let id = try await dal.write { try Ship.create(in: $0) { $0.changesOfPlan = 3 }.id }
            let found: Ship? = try await dal.read { try Ship.find(id, in: $0) }
            #expect(found?.changesOfPlan == 0)
        }
    }

    @Test func `a table gives the schema of an entity that is written by hand`() {
        #expect(
            Ship.schema
                == EntitySchema(
                    Ship.self, table: "ship", id: Coding.of(Ship.ID.self),
                    columns: [
                        ColumnSchema("name", Coding.of(String.self)),
                        ColumnSchema("motto", Coding.of(String?.self)),
                        ColumnSchema("masts", Coding.of(Int.self)),
                        ColumnSchema("isAfloat", Coding.of(Bool.self)),
                        ColumnSchema("halfDraught", Coding.of(Double.self)),
                        ColumnSchema("price", Coding.of(Decimal.self)),
                        ColumnSchema("plan", Coding.of(Data.self)),
                        ColumnSchema("launched", Coding.of(Date.self)),
                        ColumnSchema("rig", Coding.of(Ship.Rig.self)),
                        ColumnSchema("formerRig", Coding.of(Ship.Rig?.self)),
                        ColumnSchema("tonnage", Coding.of(Ship.Tonnage.self)),
                        ColumnSchema("ballast", Coding.of(Ship.Tonnage?.self)),
                        ColumnSchema("crew", Coding.of(Set<String>.self)),
                        ColumnSchema("figurehead", Coding.of([String]?.self)),
                        ColumnSchema("hull", Coding.of(Ship.Hull.self)),
                        ColumnSchema("speed", Ship.Tenths.self),
                        ColumnSchema("home", Coding.of(Port.ID?.self)),
                    ], unique: [["name"], ["formerRig", "home", "launched"]],
                    indexed: ["masts", "speed"], searchable: ["name"]))
        #expect(
            Call.schema
                == EntitySchema(
                    Call.self, table: "call", id: Coding.of(Call.ID.self),
                    columns: [
                        ColumnSchema("ship", Coding.of(Ship.ID.self), onDelete: .cascade),
                        ColumnSchema("port", Coding.of(Port.ID.self), onDelete: .deny),
                        ColumnSchema("days", Coding.of(Int.self)),
                    ], unique: [["ship", "port"]]))
    }

    @Test func `a key path leads to the position of its column`() {
        #expect(Ship.column(at: \.id) == 0)
        #expect(Ship.column(at: \.name) == 1)
        #expect(Ship.column(at: \.halfDraught) == 5)
        #expect(Ship.column(at: \.home) == 17)
        #expect(Ship.column(at: \.changesOfPlan) == nil)
        #expect(Ship.column(at: \.title) == nil)
        #expect(Ship.column(at: \.hull.length) == nil)
    }

    @Test func `a change of one property updates its column alone`() async throws {
        try await withHarbour { dal in
            let id = try await dal.write { try Ship.insert(.full, in: $0).id }
            let feed = dal.changes(of: Ship.self)
            try await dal.write { context in
                let ship = try #require(try Ship.find(id, in: context))
                ship.rig = .sloop
                ship.hull.length += 1
            }
            var events = feed.makeAsyncIterator()
            let event = try await events.next()
            let update = EntityChanges<Ship>.Update(id: id, columns: ["rig", "hull"])
            #expect(event == .changes(EntityChanges(updated: [update])))
            var wanted = Ship.full
            wanted.id = id
            wanted.rig = .sloop
            wanted.hull.length += 1
            #expect(try await dal.read { try Ship.find(id, in: $0) } == wanted)
        }
    }

    @Test func `an object names the column of the property that was changed`() async throws {
        try await withHarbour { dal in
            let id = try await dal.write { try Ship.insert(.full, in: $0).id }
            let changes: [(String, @Sendable (Managed<Ship>) -> Void)] = [
                ("name", { $0.name = "Argos" }), ("motto", { $0.motto = nil }),
                ("masts", { $0.masts += 1 }), ("isAfloat", { $0.isAfloat = true }),
                ("halfDraught", { $0.draught += 1 }), ("price", { $0.price += 1 }),
                ("plan", { $0.plan.append(1) }), ("launched", { $0.launched += 1 }),
                ("rig", { $0.rig = .sloop }), ("formerRig", { $0.formerRig = nil }),
                ("tonnage", { $0.tonnage.rawValue += 1 }), ("ballast", { $0.ballast = nil }),
                ("crew", { $0.crew.insert("Medea") }), ("figurehead", { $0.figurehead = [] }),
                ("hull", { $0.hull.material = "ash" }), ("speed", { $0.speed += 1 }),
            ]
            for (name, change) in changes {
                let names: [String] = try await dal.write { context in
                    let ship = try #require(try Ship.find(id, in: context))
                    change(ship)
                    return ship.changedColumns
                }
                #expect(names == [name])
            }
            let nothing: [String] = try await dal.write { context in
                let ship = try #require(try Ship.find(id, in: context))
                ship.changesOfPlan += 1
                ship.masts = ship.value.masts
                return ship.changedColumns
            }
            #expect(nothing == [])
        }
    }

    @Test func `unique columns refuse a second row with their values`() async throws {
        try await withHarbour { dal in
            try await dal.write { context in
                try Ship.create(in: context) {
                    $0.name = "Argo"
                    $0.rig = .brig
                    $0.formerRig = .sloop
                    $0.home = try Port.create(id: "JMK", in: context).id
                }
            }
            let twins: [@Sendable (inout Ship) -> Void] = [
                { $0.name = "Argo" },
                {
                    $0.formerRig = .sloop
                    $0.home = "JMK"
                },
            ]
            for twin in twins {
                let error = await #expect(throws: StoreError.self) {
                    try await dal.write { context in
                        try Ship.create(in: context) { twin(&$0) }
                    }
                }
                #expect(error?.code == .uniqueViolation)
            }
            // A row without one of the values is no twin.
            try await dal.write { context in
                for name in ["Pinta", "Niña"] {
                    try Ship.create(in: context) {
                        $0.name = name
                        $0.home = "JMK"
                    }
                }
            }
            #expect(try await dal.read { try Ship.count(in: $0) } == 3)
        }
    }

    @Test func `a condition on an indexed column does not scan the table`() async throws {
        try await withHarbour { dal in
            let scans: [[String]] = try await dal.read { context in
                [
                    try Ship.where { $0.masts > 2 }.explained(in: context).fullScans,
                    try Ship.where { $0.speed > 2 }.explained(in: context).fullScans,
                    try Ship.where { $0.home == "JMK" }.explained(in: context).fullScans,
                    try Ship.where { $0.isAfloat }.explained(in: context).fullScans,
                ]
            }
            #expect(scans == [[], [], [], ["ship"]])
        }
    }

    @Test func `keys of every type are made or taken as the type says`() async throws {
        try await withHarbour { dal in
            let (first, second, call) = try await dal.write { context in
                let port = try Port.create(id: "JSI", in: context)
                let first = try Ship.create(in: context) { $0.name = "A" }.id
                let second = try Ship.create(in: context) { $0.name = "B" }.id
                let call = try Call.create(in: context) {
                    $0.ship = first
                    $0.port = port.id
                }
                return (first, second, call.id)
            }
            #expect(first == 1 && second == 2)
            #expect(call != .unassigned)
            try await dal.read { context throws in
                #expect(try Call.find(call, in: context)?.port == "JSI")
                #expect(try Port.find("JSI", in: context)?.id == "JSI")
                #expect(try Port.find("JMK", in: context) == nil)
            }
        }
    }

    @Test func `the delete rule of each reference is kept`() async throws {
        try await withHarbour { dal in
            let ship = try await dal.write { context in
                let home = try Port.create(id: "JSI", in: context).id
                let other = try Port.create(id: "JMK", in: context).id
                let ship = try Ship.create(in: context) { $0.home = home }.id
                try Call.create(in: context) {
                    $0.ship = ship
                    $0.port = other
                }
                return ship
            }
            let error = await #expect(throws: StoreError.self) {
                try await dal.write { try Port.find("JMK", in: $0)?.delete() }
            }
            #expect(error?.code == .foreignKeyViolation)
            try await dal.write { try Port.find("JSI", in: $0)?.delete() }
            let home = try await dal.read { try Ship.find(ship, in: $0)?.home }
            #expect(home == .some(nil))
            try await dal.write { try Ship.find(ship, in: $0)?.delete() }
            #expect(try await dal.read { try Call.count(in: $0) } == 0)
        }
    }
}
