import Foundation
import Skiathos
import Testing

/// Steps that a limit or an offset would not come before are refused behind it.
struct LimitedStepTests {
    @Test func `conditions, sort keys, searches and groups behind a limit are refused`()
        async throws
    {
        try await RentalShop.with { (dal) async throws in
            for (step, query) in [
                ("where", Worker.query.limit(3).where { $0.salary > 3 }),
                ("where", Worker.query.offset(1).where(#Predicate { $0.salary > 3 })),
                ("order", Worker.query.limit(3).order { $0.salary }),
                (
                    "order",
                    Worker.where { $0.salary > 3 }.offset(2).order { [$0.salary.descending] }
                ),
                ("matching", Worker.query.limit(3).matching("Ada")),
                ("where", Worker.query.limit(3).where { $0.salary > 3 }.limit(nil)),
            ] {
                let failure = try #require(await query.failure(in: dal))
                #expect(failure.code == "invalidRequest")
                #expect(
                    failure.message.contains("has \(step) behind a limit or an offset"),
                    "\(failure.message)")
            }
            for selection in [
                Worker.query.limit(3).grouped { $0.manager }.select { $0.id.count },
                Worker.grouped { $0.manager }.limit(3).having { $0.id.count > 1 }
                    .select { $0.id.count },
                Worker.grouped { $0.manager }.offset(1).order { $0.id.count }.select {
                    $0.id.count
                },
            ] {
                await #expect(throws: DataAccessError.self) {
                    try await dal.read { try selection.all(in: $0).count }
                }
            }
            for selection in [
                Worker.query.limit(3).select { $0.nickname }.distinct(),
                Worker.select { $0.nickname }.offset(1).distinct(),
            ] {
                await #expect(throws: DataAccessError.self) {
                    try await dal.read { try selection.all(in: $0) }
                }
            }
            let union = Worker.select { $0.salary }.union(Rental.select { $0.price })
            await #expect(throws: DataAccessError.self) {
                try await dal.read { try union.limit(2).order { $0.ascending }.all(in: $0) }
            }
        }
    }

    @Test func `a limit can be taken back`() async throws {
        try await RentalShop.with { (dal) async throws in
            let query = Worker.query.limit(1).limit(nil).where { $0.salary > 100 }
            #expect(try await query.names(in: dal) == "Ada Dan")
            let count = try await dal.read {
                try Worker.select { $0.name }.limit(1).limit(nil).all(in: $0).count
            }
            #expect(count == 5)
        }
    }

    @Test func `the results of a selection are limited, the different ones too`() async throws {
        try await RentalShop.with { (dal) async throws in
            let names = Worker.order { $0.salary }.select { $0.name }
            let genres = Rental.select { $0.genre }.distinct()
            let found = try await dal.read { context in
                [
                    try names.limit(2).all(in: context),
                    try names.offset(1).limit(1).all(in: context),
                    try genres.limit(1).all(in: context), try genres.offset(1).all(in: context),
                ]
            }
            #expect(found == [["Bob", "Cyd"], ["Cyd"], ["folk"], ["jazz"]])
            await #expect(throws: DataAccessError.self) {
                try await dal.read { try names.limit(-1).all(in: $0) }
            }
        }
    }

    @Test func `limited queries together are chosen from, sorted and limited again`() async throws {
        try await RentalShop.with { (dal) async throws in
            let best = Worker.order { $0.salary.descending }.limit(2)
            let first = Worker.order { $0.name }.limit(2)
            let names = try await dal.read { context in
                [
                    try best.union(first).order { $0.name }.limit(2).all(in: context).map(\.name),
                    try best.intersection(Worker.where { $0.salary < 130 }).all(in: context)
                        .map(\.name),
                    try Worker.query.subtracting(best).where { $0.salary > 50 }
                        .order { $0.salary }.all(in: context).map(\.name),
                ]
            }
            #expect(names == [["Ada", "Bob"], ["Ada"], ["Cyd", "Boss"]])
        }
    }
}
