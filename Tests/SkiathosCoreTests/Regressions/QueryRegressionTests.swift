import Foundation
import Skiathos
import Testing

struct QueryRegressionTests {
    @Test(arguments: Place.allCases)
    func `a choice among decimal numbers is ordered by value`(_ place: Place) async throws {
        try await withStore(place) { dal in
            _ = try await dal.write { context in
                for number in 1...3 {
                    _ = try Specimen.create(in: context) {
                        $0.number = number
                        $0.price = Decimal(number) * 5
                    }
                }
            }
            let query = Specimen.order {
                ($0.number > 1).then(Decimal(9), else: $0.price).ascending
            }
            let chosen = Specimen.where { ($0.number > 1).then(Decimal(9), else: 10) < 10 }
            let found = try await dal.read { context in
                (
                    try query.select { $0.number }.all(in: context), try chosen.count(in: context),
                    try Specimen.query.aggregate(
                        { ($0.number > 1).then(Decimal(9), else: 10).max }, in: context)
                )
            }
            #expect(found.0 == [1, 2, 3])
            #expect(found.1 == 2)
            #expect(found.2 == 10)
        }
    }

    @Test(arguments: Place.allCases)
    func `a condition on a decimal number leaves the order of chosen texts alone`(
        _ place: Place
    ) async throws {
        try await withStore(place) { dal in
            _ = try await dal.write { context in
                for text in ["b", "c", "a"] {
                    _ = try Specimen.create(in: context) { $0.text = text }
                }
            }
            let found = try await dal.read { context in
                (
                    try Specimen.order { ($0.price >= 0).then($0.text, else: "z").ascending }
                        .select { $0.text }.all(in: context),
                    try Specimen.where { ($0.price >= 0).then($0.text, else: "z") == "a" }
                        .count(in: context),
                    try Specimen.grouped { ($0.price >= 0).then($0.text, else: "z") }
                        .select { $0.id.count }.all(in: context).count
                )
            }
            #expect(found.0 == ["a", "b", "c"])
            #expect(found.1 == 1)
            #expect(found.2 == 3)
        }
    }
}
