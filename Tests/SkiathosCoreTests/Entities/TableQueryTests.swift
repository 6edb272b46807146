import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// Queries of an entity that a table of key paths describes.
struct TableQueryTests {
    /// Opens a store with the ships Argo of Iolcos and Pinta, of which Argo has called at two ports.
    private func withFleet(_ body: @Sendable (DataAccessLayer) async throws -> Void) async throws {
        try await withHarbour { dal in
            try await dal.write { context in
                try Port.create(id: "TH", in: context) { $0.name = "Thessaly" }
                try Port.create(id: "IO", in: context) {
                    $0.name = "Iolcos"
                    $0.district = "TH"
                }
                try Port.create(id: "CO", in: context) { $0.name = "Colchis" }
                var argo = Ship.full
                argo.home = "IO"
                let ship = try Ship.insert(argo, in: context)
                try ship.ports.add("CO", in: context) { $0.days = 9 }
                try ship.ports.add("IO", in: context)
                try Ship.create(in: context) { $0.name = "Pinta" }
            }
            try await body(dal)
        }
    }

    @Test func `a column of every kind can be compared`() async throws {
        let full = Ship.full
        let conditions: [@Sendable (Ship.Columns) -> Condition<Ship>] = [
            { $0.name == "Argo" }, { $0.motto != nil }, { $0.masts < 0 }, { $0.isAfloat == false },
            { $0.halfDraught > 1.5 }, { $0.price == full.price }, { $0.plan == full.plan },
            { $0.launched > Date(timeIntervalSinceReferenceDate: 1) }, { $0.rig == .brig },
            { $0.formerRig == .sloop }, { $0.tonnage == full.tonnage },
            { $0.ballast == full.ballast }, { $0.crew == full.crew },
            { $0.figurehead == ["Hera"] }, { $0.hull == full.hull },
            { $0.hull[\.material] == "pine" && $0.hull[\.length] > 30 }, { $0.speed == 7.5 },
            { $0.home == "IO" }, { $0.id.in([1]) }, { $0.name.hasPrefix("A") && !$0.isAfloat },
        ]
        try await withFleet { dal in
            for (number, condition) in conditions.enumerated() {
                let names = try await dal.read {
                    try Ship.all(where: condition, in: $0).map(\.name)
                }
                #expect(names == ["Argo"], "condition \(number)")
            }
        }
    }

    @Test func `references and relations lead to the columns of other entities`() async throws {
        try await withFleet { dal in
            try await dal.read { context throws in
                let byPort = Ship.where { $0.home.name.hasPrefix("I") }
                #expect(try byPort.all(in: context).map(\.name) == ["Argo"])
                let byDistrict = Ship.where { $0.home.district.name == "Thessaly" }
                #expect(try byDistrict.count(in: context) == 1)
                #expect(try Call.where { $0.ship.home.name == "Iolcos" }.count(in: context) == 2)
                let idle = Ship.where { $0.calls.isEmpty }
                #expect(try idle.all(in: context).map(\.name) == ["Pinta"])
                let far = Ship.where { $0.ports.exists { $0.name == "Colchis" } }
                #expect(try far.count(in: context) == 1)
                let homes = Port.where { $0.ships.exists { $0.masts < 0 } }
                #expect(try homes.all(in: context).map(\.id) == ["IO"])
                let long = Call.where { $0.ship.calls.count > 1 && $0.days > 5 }
                #expect(try long.all(in: context).map(\.port) == ["CO"])
                let below = Port.descendants(of: "TH", along: \.district)
                #expect(try below.all(in: context).map(\.id) == ["IO"])
            }
        }
    }

    @Test func `related rows are loaded and added`() async throws {
        try await withFleet { dal in
            try await dal.read { context in
                let argo = try #require(try Ship.first(where: { $0.name == "Argo" }, in: context))
                #expect(try argo.calls.count(in: context) == 2)
                let ports = try argo.ports.order { $0.days.ascending }.all(in: context)
                #expect(ports.map(\.name) == ["Iolcos", "Colchis"])
                #expect(try argo.related(\.home, in: context)?.name == "Iolcos")
            }
        }
    }

    @Test func `rows are sorted, selected and aggregated by columns`() async throws {
        try await withFleet { dal in
            try await dal.read { context in
                let names = try Ship.order { $0.tonnage.descending }.all(in: context).map(\.name)
                #expect(names == ["Pinta", "Argo"])
                let sorted = try Ship.sorted(by: SortDescriptor(\.masts)).all(in: context)
                #expect(sorted.map(\.name) == ["Argo", "Pinta"])
                #expect(try Ship.query.sum(of: { $0.masts }, in: context) == -2)
                let pairs = try Ship.order { $0.id }.select { ($0.name, $0.home.name) }.all(
                    in: context)
                #expect(pairs.first?.0 == "Argo" && pairs.first?.1 == "Iolcos")
            }
        }
    }

    @Test func `a predicate of Foundation names the columns by key paths`() async throws {
        try await withFleet { dal in
            let names = try await dal.read { context in
                try Ship.all(
                    matching: #Predicate { $0.masts < 0 && $0.name == "Argo" }, in: context
                ).map(\.name)
            }
            #expect(names == ["Argo"])
        }
    }

    @Test func `set-based changes set columns`() async throws {
        try await withFleet { dal in
            try await dal.write { context in
                try Ship.update(
                    where: { $0.home == nil },
                    set: {
                        $0.speed.set(to: 9.5)
                        $0.masts.add(2)
                    }, in: context)
            }
            let pinta = try await dal.read { try Ship.first(where: { $0.masts == 3 }, in: $0) }
            #expect(pinta?.name == "Pinta" && pinta?.speed == 9.5)
        }
    }

    @Test func `an upsert finds its row by the key paths of a unique key`() async throws {
        try await withFleet { dal in
            try await dal.write { context in
                var argo = Ship()
                argo.name = "Argo"
                argo.masts = 7
                let (object, outcome) = try Ship.upsert(reporting: argo, by: \.name, in: context)
                #expect(object.id == 1 && outcome == .updated)
                let call = Call(ship: 1, port: "CO", days: 4)
                try Call.upsert(call, by: \.ship, \.port, in: context)
                #expect(throws: DataAccessError.self) {
                    try Ship.upsert(argo, by: \.masts, in: context)
                }
            }
            let (masts, days) = try await dal.read { context in
                (
                    try Ship.find(1, in: context)?.masts,
                    try Call.all(where: { $0.port == "CO" }, in: context).map(\.days)
                )
            }
            #expect(masts == 7 && days == [4])
        }
    }

    @Test func `the words of a searchable column are found`() async throws {
        try await withFleet { dal in
            let found = try await dal.read { try Ship.query.matching("argo").all(in: $0) }
            #expect(found.map(\.name) == ["Argo"])
        }
    }
}
