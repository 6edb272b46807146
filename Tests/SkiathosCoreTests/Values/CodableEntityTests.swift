#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import Testing

@Entity struct Town: Codable, Equatable {
    var name = ""
    var capital: Town.ID?
}

@Entity(id: UUID.self) struct Tour: Codable, Equatable {
    var name = ""
    var start: Town.ID?
}

/// Entities that are `Codable` carry their IDs through JSON.
struct CodableEntityTests {
    private static let json = Data(
        #"[{"id": 7, "name": "Athens"}, {"id": 9, "name": "Sparta", "capital": 7}]"#.utf8)

    @Test(arguments: [Place.file, .memory])
    func `entities are decoded with their IDs and references, and stored under them`(
        _ place: Place
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("t.sqlite"))
        try await withStore(source, entities: [Town.self, Tour.self]) { dal in
            let towns = try JSONDecoder().decode([Town].self, from: Self.json)
            #expect(towns.map(\.id) == [7, 9])
            let first = try await dal.write { try Town.upsert(towns, by: \.id, in: $0) }
            #expect(first.inserted.count == 2)
            let again = try await dal.write { try Town.upsert(towns, by: \.id, in: $0) }
            #expect(again.unchanged.count == 2)
            let stored = try await dal.read { try Town.order { $0.id.ascending }.all(in: $0) }
            #expect(stored == towns && stored[1].capital == 7)
            let copy = try JSONDecoder().decode([Town].self, from: JSONEncoder().encode(stored))
            #expect(copy == stored)
            let tour = try await dal.write { context in
                try Tour.create(in: context) { $0.start = 9 }.value
            }
            let decoded = try JSONDecoder().decode(Tour.self, from: JSONEncoder().encode(tour))
            #expect(decoded == tour && decoded.id == tour.id)
        }
        withExtendedLifetime(directory) {}
    }

    @Test func `JSON without an ID is refused by the decoder`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Town.self, from: Data(#"{"name": "Delphi"}"#.utf8))
        }
    }
}
#endif
