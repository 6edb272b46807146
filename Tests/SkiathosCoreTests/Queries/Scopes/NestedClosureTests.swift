import Foundation
import Skiathos
import Testing

/// A closure of a query inside of another one has columns of its own.
struct NestedClosureTests {
    @Test func `a row is compared with the one that its reference leads to`() async throws {
        try await RentalShop.with { (dal) async throws in
            let better = Worker.where { e in e.manager.matches { m in m.salary < e.salary } }
            #expect(try await better.names(in: dal) == "Ada Cyd Dan")
            #expect(
                try await better.tail(in: dal) == """
                    (EXISTS (SELECT 1 FROM "worker" AS "skiathos_1_worker" \
                    WHERE "skiathos_1_worker"."id" = "worker"."manager" \
                    AND ("skiathos_1_worker"."salary" < "worker"."salary")))
                    """)
        }
    }

    @Test func `a row is compared with those that refer to it`() async throws {
        try await RentalShop.with { (dal) async throws in
            let some = Worker.where { e in e.reports.exists { r in r.salary > e.salary } }
            #expect(try await some.names(in: dal) == "Boss Ada Bob")
            #expect(
                try await some.tail(in: dal) == """
                    (EXISTS (SELECT 1 FROM "worker" AS "skiathos_1_worker" \
                    WHERE "skiathos_1_worker"."manager" = "worker"."id" \
                    AND ("skiathos_1_worker"."salary" > "worker"."salary")))
                    """)
            let all = Worker.where { e in
                !e.reports.isEmpty && e.reports.allSatisfy { r in r.salary >= e.salary }
            }
            #expect(try await all.names(in: dal) == "Ada Bob")
            #expect(
                try await all.tail(in: dal) == """
                    ((((EXISTS (SELECT 1 FROM "worker" AS "skiathos_1_worker" \
                    WHERE "skiathos_1_worker"."manager" = "worker"."id")) IS NOT TRUE) IS NOT TRUE) \
                    AND ((EXISTS (SELECT 1 FROM "worker" AS "skiathos_2_worker" \
                    WHERE "skiathos_2_worker"."manager" = "worker"."id" \
                    AND (("skiathos_2_worker"."salary" >= "worker"."salary") IS NOT TRUE))) \
                    IS NOT TRUE))
                    """)
        }
    }

    @Test func `rentals of one renter that overlap are found`() async throws {
        try await RentalShop.with { (dal) async throws in
            let overlapping = Rental.where { r in
                r.customer.rentals.exists { o in
                    o.id != r.id && o.from < r.to && o.to > r.from
                }
            }
            let ids = try await dal.read { try overlapping.ids(in: $0).map(\.rawValue) }
            #expect(ids.sorted() == [1, 2])
            #expect(
                try await overlapping.tail(in: dal) == """
                    (EXISTS (SELECT 1 FROM "renter" AS "skiathos_1_renter" \
                    WHERE "skiathos_1_renter"."id" = "rental"."customer" \
                    AND (EXISTS (SELECT 1 FROM "rental" AS "skiathos_2_rental" \
                    WHERE "skiathos_2_rental"."customer" = "skiathos_1_renter"."id" \
                    AND ((("skiathos_2_rental"."id" <> "rental"."id") \
                    AND ("skiathos_2_rental"."from" < "rental"."to")) \
                    AND ("skiathos_2_rental"."to" > "rental"."from"))))))
                    """)
        }
    }

    @Test func `the dearest rental of each genre is found`() async throws {
        try await RentalShop.with { (dal) async throws in
            let dearest = Rental.where { r in
                r.price == Rental.where { o in o.genre == r.genre }.value { $0.price.max }
            }
            let ids = try await dal.read { try dearest.ids(in: $0).map(\.rawValue) }
            #expect(ids.sorted() == [2, 3])
            #expect(
                try await dearest.tail(in: dal) == """
                    ("price" = (SELECT max("skiathos_1_rental"."price") \
                    FROM "rental" AS "skiathos_1_rental" \
                    WHERE ("skiathos_1_rental"."genre" = "rental"."genre")))
                    """)
        }
    }

    @Test func `only the last rental of each renter is deleted`() async throws {
        try await RentalShop.with { (dal) async throws in
            let last = Rental.where { r in
                !r.customer.rentals.exists { o in o.from > r.from }
            }
            #expect(
                try await last.tail(in: dal) == """
                    ((EXISTS (SELECT 1 FROM "renter" AS "skiathos_1_renter" \
                    WHERE "skiathos_1_renter"."id" = "rental"."customer" \
                    AND (EXISTS (SELECT 1 FROM "rental" AS "skiathos_2_rental" \
                    WHERE "skiathos_2_rental"."customer" = "skiathos_1_renter"."id" \
                    AND ("skiathos_2_rental"."from" > "rental"."from"))))) IS NOT TRUE)
                    """)
            let (count, left) = try await dal.write { context in
                let count = try last.deleteAll(in: context)
                return (count, try Rental.query.ids(in: context).map(\.rawValue))
            }
            #expect(count == 2)
            #expect(left.sorted() == [1, 2, 4])
        }
    }

    @Test func `a column is set to what other rows of its group had before the change`()
        async throws
    {
        try await RentalShop.with { (dal) async throws in
            let prices = try await dal.write { context in
                try Rental.query.update(
                    set: { r in
                        r.price.set(
                            to: Rental.where { o in o.genre == r.genre }.value { $0.price.sum })
                    }, in: context)
                return try Rental.order { $0.id }.all(in: context).map(\.price)
            }
            #expect(prices == [7, 7, 10, 10, 7])
        }
    }

    @Test func `columns of a row of another entity are marked`() async throws {
        try await RentalShop.with { (dal) async throws in
            for query in [
                Renter.where { c in c.rentals.exists { r in r.price > c.limit.outer } },
                Renter.where { c in c.rentals.exists { r in c.limit.outer < r.price } },
                Renter.where { c in c.rentals.exists { r in r.price * 2 > c.limit.outer * 2 } },
                Renter.where { c in c.rentals.filter { r in r.price > c.limit.outer }.count > 0 },
                Renter.where { c in
                    c.rentals.exists { r in r.price > 3 && (c.limit > 4 && c.name != "").outer }
                },
                Renter.where { c in
                    c.id.in(
                        Rental.where { r in r.price > c.limit.outer }.select { $0.customer })
                },
            ] {
                let names = try await dal.read { try query.all(in: $0).map(\.name) }
                #expect(names == ["Xenia"])
            }
        }
    }

    @Test func `a relation of an outer row is asked inside of a closure`() async throws {
        try await RentalShop.with { (dal) async throws in
            // Who has two reports, of whom one earns more than themselves and the other less than the
            // first.
            let query = Worker.where { e in
                e.reports.exists { r in
                    e.reports.exists { p in
                        p.salary < r.salary && p.id != r.id && e.salary < r.salary
                    }
                }
            }
            #expect(try await query.names(in: dal) == "Boss")
        }
    }

    @Test func `an aggregate of a column of an outer row is one of the inner rows`() async throws {
        try await RentalShop.with { (dal) async throws in
            let twice = Worker.where { e in e.reports.sum { _ in e.salary } == e.salary * 2 }
            #expect(try await twice.names(in: dal) == "Boss")
            let largest = Worker.where { e in
                e.reports.max { _ in e.salary } == e.salary.optional
            }
            #expect(try await largest.names(in: dal) == "Boss Ada Bob")
        }
    }

    @Test func `groups are compared with other rows by their keys`() async throws {
        try await RentalShop.with { (dal) async throws in
            let dear = Rental.grouped { $0.genre }
                .having { g in
                    g.price.sum > Rental.where { o in o.genre == g.genre }.value { $0.price.min }
                        && Rental.where { o in o.genre != g.genre }.value { $0.id.count } > 2
                }
                .select { $0.price.sum }
            let rows = try await dal.read { try dear.all(in: $0).map { "\($0.key) \($0.value)" } }
            #expect(rows == ["folk 10"])
            let other = Rental.grouped { $0.genre }
                .having { g in
                    Rental.where { o in o.price == g.price }.value { $0.id.count } > 0
                }
                .select { $0.price.sum }
            await #expect(throws: StoreError.self) { try await dal.read { try other.all(in: $0) } }
        }
    }

    @Test func `sort keys, results and windows compare with the rows around`() async throws {
        try await RentalShop.with { (dal) async throws in
            let rows = Worker.order { e in
                e.reports.filter { r in r.salary > e.salary }.count.descending
            }.select { e in
                (
                    e.name,
                    Worker.where { o in o.salary > e.salary }.value(for: Worker.self) {
                        $0.id.count
                    },
                    e.salary.descending.rank(
                        within: .by(e.reports.filter { r in r.salary > e.salary }.count))
                )
            }
            let found = try await dal.read { context in
                try rows.all(in: context).map { "\($0.0) \($0.1) \($0.2)" }
            }
            #expect(found == ["Boss 2 2", "Ada 1 1", "Bob 4 3", "Cyd 3 2", "Dan 0 1"])
        }
    }
}
