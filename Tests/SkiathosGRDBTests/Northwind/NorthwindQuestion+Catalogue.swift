#if Macros
import Foundation
import Skiathos

extension NorthwindQuestion {
    /// All questions.
    static let all = catalogue + sales + people

    /// Questions about products and suppliers.
    private static let catalogue: [NorthwindQuestion] = list { ask in
        ask(
            "the ten dearest products",
            #"SELECT "name", CAST("unitPrice" AS REAL) FROM "product" ORDER BY 2 DESC, 1 LIMIT 10"#
        ) { context in
            let rows = try Northwind.Product.order { [$0.unitPrice.descending, $0.name.ascending] }
                .limit(10)
                .select { ($0.name, $0.unitPrice) }.all(in: context)
            return rows.map { row($0.0, $0.1) }
        }
        ask(
            "discontinued products with their categories",
            #"""
            SELECT p."name", c."name" FROM "product" p JOIN "category" c ON c."id" = p."category"
            WHERE p."isDiscontinued" ORDER BY p."name"
            """#
        ) { context in
            let rows = try Northwind.Product.where { $0.isDiscontinued }.order { $0.name }
                .select { ($0.name, $0.category.name) }.all(in: context)
            return rows.map { row($0.0, $0.1) }
        }
        ask(
            "products to be ordered again",
            #"""
            SELECT "name" FROM "product" WHERE NOT "isDiscontinued"
            AND "unitsInStock" + "unitsOnOrder" <= "reorderLevel" ORDER BY "name"
            """#
        ) { context in
            let rows = try Northwind.Product.where {
                !$0.isDiscontinued
                $0.unitsInStock + $0.unitsOnOrder <= $0.reorderLevel
            }.order { $0.name }.select { $0.name }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "the value of the stock by category",
            #"""
            SELECT c."name", sum(CAST(p."unitPrice" AS REAL) * p."unitsInStock") FROM "product" p
            JOIN "category" c ON c."id" = p."category" GROUP BY 1 ORDER BY 2 DESC
            """#
        ) { context in
            let rows = try Northwind.Product.grouped { $0.category.name }
                .order { ($0.unitPrice * $0.unitsInStock).sum.descending }
                .select { ($0.unitPrice * $0.unitsInStock).sum }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "products that are dearer than the mean",
            #"""
            SELECT "name" FROM "product" WHERE CAST("unitPrice" AS REAL) >
            (SELECT avg(CAST("unitPrice" AS REAL)) FROM "product") ORDER BY "name"
            """#
        ) { context in
            let rows = try Northwind.Product.where {
                $0.unitPrice > Northwind.Product.query.value { $0.unitPrice.average }
            }.order { $0.name }.select { $0.name }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "the dearest product of each category",
            #"""
            SELECT "category", "name" FROM (SELECT "category", "name", rank() OVER (
            PARTITION BY "category" ORDER BY CAST("unitPrice" AS REAL) DESC) AS place
            FROM "product") WHERE place = 1
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.Product.select {
                ($0.category, $0.name, $0.unitPrice.descending.rank(within: .by($0.category)))
            }.all(in: context).filter { $0.2 == 1 }
            return rows.map { row(Int($0.0.rawValue), $0.1) }
        }
        ask(
            "each price beside the sum of its category",
            #"""
            SELECT "name", CAST("unitPrice" AS REAL), sum(CAST("unitPrice" AS REAL)) OVER (
            PARTITION BY "category") FROM "product"
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.Product.select {
                ($0.name, $0.unitPrice, $0.unitPrice.sum.total(within: .by($0.category)))
            }.all(in: context)
            return rows.map { row($0.0, $0.1, $0.2) }
        }
        ask(
            "products by a part of the name, whatever the case",
            #"SELECT "name" FROM "product" WHERE lower("name") LIKE '%chai%' ORDER BY "name""#
        ) { context in
            let rows = try Northwind.Product.where { $0.name.caseInsensitive.contains("CHAI") }
                .order { $0.name }.select { $0.name }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "suppliers with the number of their products and the dearest price",
            #"""
            SELECT s."company", count(p."id"), max(CAST(p."unitPrice" AS REAL)) FROM "supplier" s
            LEFT JOIN "product" p ON p."supplier" = s."id" GROUP BY s."id" ORDER BY s."id"
            """#
        ) { context in
            let rows = try Northwind.Supplier.order { $0.id }.select {
                ($0.company, $0.products.count, $0.products.max { $0.unitPrice })
            }.all(in: context)
            return rows.map { row($0.0, $0.1, $0.2) }
        }
        ask(
            "categories in which every product is in stock",
            #"""
            SELECT "name" FROM "category" c WHERE NOT EXISTS (SELECT 1 FROM "product" p
            WHERE p."category" = c."id" AND p."unitsInStock" = 0) ORDER BY "name"
            """#
        ) { context in
            let rows = try Northwind.Category.where {
                $0.products.allSatisfy { $0.unitsInStock > 0 }
            }
            .order { $0.name }.select { $0.name }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "cities of customers and suppliers",
            #"""
            SELECT "city", "country" FROM "customer" UNION SELECT "city", "country" FROM "supplier"
            ORDER BY 2, 1
            """#
        ) { context in
            let rows = try Northwind.Customer.select { ($0.city, $0.country) }
                .union(Northwind.Supplier.select { ($0.city, $0.country) })
                .order { city, country in [country.ascending, city.ascending] }
                .all(in: context)
            return rows.map { row($0.0, $0.1) }
        }
    }
}
#endif
