#if Macros
import Foundation
import Skiathos

extension NorthwindQuestion {
    /// What a line of an order comes to, in SQL.
    private static let amount =
        #"CAST(l."unitPrice" AS REAL) * l."quantity" * (1 - CAST(l."discount" AS REAL))"#

    /// The year of a date, in SQL.
    private static func year(_ date: String) -> String {
        "CAST(strftime('%Y', \(date) + 978307200, 'unixepoch') AS INTEGER)"
    }

    /// Questions about orders.
    static let sales: [NorthwindQuestion] = list { ask in
        ask(
            "orders that were shipped late",
            #"SELECT "id" FROM "order" WHERE "shippedDate" > "requiredDate" ORDER BY "id""#
        ) { context in
            let rows = try Northwind.Order.where { $0.shippedDate > $0.requiredDate.optional }
                .order { $0.id }.ids(in: context)
            return rows.map { row(Int($0.rawValue)) }
        }
        ask(
            "orders by year",
            #"SELECT \#(year(#""orderDate""#)), count(*) FROM "order" GROUP BY 1 ORDER BY 1"#
        ) { context in
            let rows = try Northwind.Order.grouped { $0.orderDate.year }.order { $0.orderDate.year }
                .select { $0.id.count }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "the three countries with the dearest freight on average",
            #"""
            SELECT "shipCountry", avg(CAST("freight" AS REAL)) FROM "order"
            WHERE \#(year(#""orderDate""#)) = 1997 GROUP BY 1 ORDER BY 2 DESC LIMIT 3
            """#
        ) { context in
            let rows = try Northwind.Order.where { $0.orderDate.year == 1997 }.grouped {
                $0.shipCountry
            }
            .order { $0.freight.average.descending }.limit(3)
            .select { $0.freight.average }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "the ten orders of the highest value",
            #"""
            SELECT l."order", sum(\#(amount)) FROM "orderLine" l GROUP BY 1 ORDER BY 2 DESC LIMIT 10
            """#
        ) { context in
            let rows = try Northwind.OrderLine.grouped { $0.order }
                .order { ($0.unitPrice * $0.quantity * (1 - $0.discount)).sum.descending }.limit(10)
                .select { ($0.unitPrice * $0.quantity * (1 - $0.discount)).sum }.all(in: context)
            return rows.map { row(Int($0.key.rawValue), $0.value) }
        }
        ask(
            "the five best customers of a year",
            #"""
            SELECT c."company", sum(\#(amount)) FROM "orderLine" l JOIN "order" o ON o."id" = l."order"
            JOIN "customer" c ON c."id" = o."customer" WHERE \#(year(#"o."orderDate""#)) = 1997
            GROUP BY 1 ORDER BY 2 DESC LIMIT 5
            """#
        ) { context in
            let rows = try Northwind.OrderLine.where { $0.order.orderDate.year == 1997 }
                .grouped { $0.order.customer.company }
                .order { ($0.unitPrice * $0.quantity * (1 - $0.discount)).sum.descending }.limit(5)
                .select { ($0.unitPrice * $0.quantity * (1 - $0.discount)).sum }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "revenue by category",
            #"""
            SELECT c."name", sum(\#(amount)) FROM "orderLine" l JOIN "product" p ON p."id" = l."product"
            JOIN "category" c ON c."id" = p."category" GROUP BY 1 ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.OrderLine.grouped { $0.product.category.name }
                .select { ($0.unitPrice * $0.quantity * (1 - $0.discount)).sum }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "products that nobody has ordered in a year",
            #"""
            SELECT "name" FROM "product" p WHERE NOT EXISTS (SELECT 1 FROM "orderLine" l
            JOIN "order" o ON o."id" = l."order" WHERE l."product" = p."id"
            AND \#(year(#"o."orderDate""#)) = 1998) ORDER BY "name"
            """#
        ) { context in
            let rows = try Northwind.Product.where {
                !$0.lines.exists { $0.order.orderDate.year == 1998 }
            }
            .order { $0.name }.select { $0.name }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "orders of more than three lines",
            #"""
            SELECT "order", count(*) FROM "orderLine" GROUP BY 1 HAVING count(*) > 3 ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.OrderLine.grouped { $0.order }.having { $0.id.count > 3 }
                .order { $0.order }.select { $0.id.count }.all(in: context)
            return rows.map { row(Int($0.key.rawValue), $0.value) }
        }
        ask(
            "quantities that stand twice in an order",
            #"""
            SELECT "order", "quantity", count(*) FROM "orderLine" GROUP BY 1, 2
            HAVING count(*) > 1 ORDER BY 1, 2
            """#
        ) { context in
            let rows = try Northwind.OrderLine.grouped { ($0.order, $0.quantity) }.having {
                $0.id.count > 1
            }
            .order { [$0.order.ascending, $0.quantity.ascending] }.select { $0.id.count }
            .all(in: context)
            return rows.map { row(Int($0.key.0.rawValue), $0.key.1, $0.value) }
        }
        ask(
            "lines that were sold below today's price",
            #"""
            SELECT l."id" FROM "orderLine" l JOIN "product" p ON p."id" = l."product"
            WHERE CAST(l."unitPrice" AS REAL) < CAST(p."unitPrice" AS REAL) ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.OrderLine.where { $0.unitPrice < $0.product.unitPrice }
                .order { $0.id }.ids(in: context)
            return rows.map { row(Int($0.rawValue)) }
        }
        ask(
            "orders and freight by shipper",
            #"""
            SELECT s."company", count(*), sum(CAST(o."freight" AS REAL)) FROM "order" o
            JOIN "shipper" s ON s."id" = o."shipper" GROUP BY 1 ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.Order.grouped { $0.shipper.company }
                .select { ($0.id.count, $0.freight.sum) }.all(in: context)
            return rows.map { row($0.key, $0.value.0, $0.value.1) }
        }
        ask(
            "days until shipping, on average by shipper",
            #"""
            SELECT s."company", avg((o."shippedDate" - o."orderDate") / 86400) FROM "order" o
            JOIN "shipper" s ON s."id" = o."shipper" WHERE o."shippedDate" IS NOT NULL
            GROUP BY 1 ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.Order.where { $0.shippedDate != nil }.grouped {
                $0.shipper.company
            }
            .select {
                (($0.shippedDate ?? $0.orderDate).timeIntervalSince($0.orderDate) / 86_400)
                    .average
            }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "the freight of a customer's orders, added up day by day",
            #"""
            SELECT "id", sum(CAST("freight" AS REAL)) OVER (ORDER BY "orderDate", "id"
            ROWS UNBOUNDED PRECEDING) FROM "order" WHERE "customer" = 'CUST1' ORDER BY "orderDate", "id"
            """#
        ) { context in
            let rows = try Northwind.Order.where { $0.customer == "CUST1" }
                .order { [$0.orderDate.ascending, $0.id.ascending] }
                .select { ($0.id, $0.freight.sum.running(by: $0.orderDate.ascending)) }
                .all(in: context)
            return rows.map { row(Int($0.0.rawValue), $0.1) }
        }
        ask(
            "quantities by quarter of a year, side by side",
            #"""
            SELECT p."name", sum(CASE WHEN m <= 3 THEN q ELSE 0 END), sum(CASE WHEN m > 9 THEN q ELSE 0 END)
            FROM (SELECT l."product" AS i, l."quantity" AS q,
            CAST(strftime('%m', o."orderDate" + 978307200, 'unixepoch') AS INTEGER) AS m
            FROM "orderLine" l JOIN "order" o ON o."id" = l."order") JOIN "product" p ON p."id" = i
            GROUP BY 1 ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.OrderLine.grouped { $0.product.name }.select {
                (
                    ($0.order.orderDate.month <= 3).then($0.quantity, else: 0).sum,
                    ($0.order.orderDate.month > 9).then($0.quantity, else: 0).sum
                )
            }.all(in: context)
            return rows.map { row($0.key, $0.value.0, $0.value.1) }
        }
        ask(
            "the second page of the newest orders",
            #"SELECT "id" FROM "order" ORDER BY "orderDate" DESC, "id" LIMIT 10 OFFSET 10"#
        ) { context in
            let newest = Northwind.Order.order { $0.orderDate.descending }
            let first = try newest.page(size: 10, in: context)
            return try newest.page(size: 10, after: first.next, in: context).elements
                .map { row(Int($0.id.rawValue)) }
        }
    }
}
#endif
