import Skiathos
import SkiathosTesting
import Testing

/// Deletions that come back to the entity of the deleted row by way of another one.
struct CyclicDeletionTests {
    @Test func `an object loses its reference to a row that goes with another row of its entity`()
        async throws
    {
        try await withStore(.inMemory, entities: Crew.self, Duty.self) { dal in
            try await dal.write { context in
                let gone = try Crew.create(in: context)
                let duty = try Duty.create(in: context) { $0.crew = gone.id }
                let other = try Crew.create(in: context) { $0.current = duty.id }
                _ = try Crew.count(in: context)
                try gone.delete()
                _ = try Crew.count(in: context)
                #expect(duty.isDeleted)
                #expect(other.current == nil)
                other.name = "left"
            }
            let crews = try await dal.read { try Crew.all(in: $0) }
            #expect(crews.map(\.name) == ["left"])
            #expect(crews.map(\.current) == [nil])
        }
    }

    @Test func `an object that is set before such a deletion loses its reference with it`()
        async throws
    {
        try await withStore(.inMemory, entities: Crew.self, Duty.self) { dal in
            let (gone, duty) = try await dal.write { context in
                let gone = try Crew.create(in: context).id
                return (gone, try Duty.create(in: context) { $0.crew = gone }.id)
            }
            // The reference is pending when the row that it leads to is deleted.
            try await dal.write { context in
                let other = try Crew.create(in: context) { $0.current = duty }
                try Crew.find(gone, in: context)?.delete()
                _ = try Crew.count(in: context)
                #expect(other.current == nil)
            }
            let crews = try await dal.read { try Crew.all(in: $0) }
            #expect(crews.map(\.current) == [nil])
        }
    }
}

/// A crew with a duty that is cleared when it goes.
private struct Crew: Sendable, Equatable {
    var id: EntityID<Crew> = .unassigned
    var name = ""
    var current: Duty.ID?
}

/// A duty that goes with its crew.
private struct Duty: Sendable, Equatable {
    var id: EntityID<Duty> = .unassigned
    var crew: Crew.ID?
}

extension Crew: TableEntity {
    init(id: Crew.ID) { self.id = id }

    static let table = EntityTable("crew", id: \Crew.id) {
        EntityColumn("current", \.current)
        EntityColumn("name", \.name)
    }
}

extension Duty: TableEntity {
    init(id: Duty.ID) { self.id = id }

    static let table = EntityTable("duty", id: \Duty.id) {
        EntityColumn("crew", \.crew, .references(onDelete: .cascade))
    }
}
