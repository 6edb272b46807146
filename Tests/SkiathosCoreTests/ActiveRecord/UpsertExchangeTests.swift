import Skiathos
import TestSupport
import Testing

@Entity private struct Seat {
    @Unique var guest = 0
    @Unique var place = 0
}

/// Rows that exchange their unique values by an upsert of any number of values.
@Suite(.generousTimeLimit) struct UpsertExchangeTests {
    @Test(.seeded, arguments: [2, 3, 499, 500, 501, 1_000, 1_001, 2_500])
    func `rows exchange unique values, however many they are`(_ count: Int) async throws {
        var generator = SeededNumbers(seed: Seed.current)
        let rotated = (0..<count).map { ($0 + 1) % count }
        let shuffled = (0..<count).shuffled(using: &generator)
        let dal = try await DataAccessLayer.open(.inMemory, entities: Seat.self)
        for places in [Array(0..<count), rotated, shuffled] {
            let seats = places.enumerated().map { Seat(guest: $0, place: $1) }
            let report = try await dal.write { try Seat.upsert(seats, by: \.guest, in: $0) }
            #expect(report.inserted.count + report.updated.count + report.unchanged.count == count)
            let found = try await dal.read { context in
                try Seat.order { $0.guest }.select { $0.place }.all(in: context)
            }
            #expect(found == places)
        }
        try await dal.close()
    }
}
