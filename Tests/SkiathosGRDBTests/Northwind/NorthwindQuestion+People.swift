#if Macros
import Foundation
import Skiathos

extension NorthwindQuestion {
    /// Questions about customers and employees.
    static let people: [NorthwindQuestion] = list { ask in
        ask(
            "customers by country",
            #"SELECT "country", count(*) FROM "customer" GROUP BY 1 ORDER BY 2 DESC, 1"#
        ) { context in
            let rows = try Northwind.Customer.grouped { $0.country }
                .order { [$0.id.count.descending, $0.country.ascending] }
                .select { $0.id.count }.all(in: context)
            return rows.map { row($0.key, $0.value) }
        }
        ask(
            "customers who have ordered nothing",
            #"""
            SELECT "company" FROM "customer" WHERE "id" NOT IN (SELECT "customer" FROM "order")
            ORDER BY "company"
            """#
        ) { context in
            let rows = try Northwind.Customer.where { $0.orders.isEmpty }.order { $0.company }
                .select { $0.company }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "customers by region, those without one last",
            #"SELECT "id", "region" FROM "customer" ORDER BY "region" IS NULL, "region", "id""#
        ) { context in
            let rows = try Northwind.Customer.order {
                ($0.region == nil).then(1, else: 0)
                $0.region
                $0.id
            }.select { ($0.id, $0.region) }.all(in: context)
            return rows.map { row($0.0.rawValue, $0.1) }
        }
        ask(
            "the first and the last order of each customer",
            #"""
            SELECT "customer", min("orderDate"), max("orderDate") FROM "order" GROUP BY 1
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.Order.grouped { $0.customer }
                .select { ($0.orderDate.min, $0.orderDate.max) }.all(in: context)
            return rows.map { row($0.key.rawValue, $0.value.0, $0.value.1) }
        }
        ask(
            "each order with the date of the customer's order before",
            #"""
            SELECT "id", lag("orderDate") OVER (PARTITION BY "customer" ORDER BY "orderDate", "id")
            FROM "order" ORDER BY "id"
            """#
        ) { context in
            let rows = try Northwind.Order.order { $0.id }.select {
                (
                    $0.id,
                    $0.orderDate.previous(by: $0.orderDate.ascending, within: .by($0.customer))
                )
            }.all(in: context)
            return rows.map { row(Int($0.0.rawValue), $0.1) }
        }
        ask(
            "customers who buy from more than four categories",
            #"""
            SELECT o."customer", count(DISTINCT p."category") FROM "orderLine" l
            JOIN "order" o ON o."id" = l."order" JOIN "product" p ON p."id" = l."product"
            GROUP BY 1 HAVING count(DISTINCT p."category") > 4
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.OrderLine.grouped { $0.order.customer }
                .having { $0.product.category.distinctCount > 4 }
                .select { $0.product.category.distinctCount }.all(in: context)
            return rows.map { row($0.key.rawValue, $0.value) }
        }
        ask(
            "customers of the type retail, or of no type",
            #"""
            SELECT "id" FROM "customer" c WHERE EXISTS (SELECT 1 FROM "customerOfType" t
            WHERE t."customer" = c."id" AND t."type" = 'retail') OR NOT EXISTS (
            SELECT 1 FROM "customerOfType" t WHERE t."customer" = c."id")
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.Customer.where {
                $0.types.exists { $0.purpose == "retail" } || $0.types.isEmpty
            }.ids(in: context)
            return rows.map { row($0.rawValue) }
        }
        ask(
            "employees with their managers",
            #"""
            SELECT e."firstName" || ' ' || e."lastName", m."lastName" FROM "employee" e
            LEFT JOIN "employee" m ON m."id" = e."manager" ORDER BY e."lastName"
            """#
        ) { context in
            let rows = try Northwind.Employee.order { $0.lastName }
                .select { ($0.firstName + " " + $0.lastName, $0.manager.lastName) }
                .all(in: context)
            return rows.map { row($0.0, $0.1) }
        }
        ask(
            "everybody below a manager, at any depth",
            #"""
            WITH RECURSIVE below(id) AS (SELECT "id" FROM "employee" WHERE "manager" = 1 UNION
            SELECT e."id" FROM "employee" e JOIN below ON e."manager" = below.id)
            SELECT "lastName" FROM "employee" WHERE "id" IN below ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.Employee.descendants(of: 1, along: \.manager).order {
                $0.lastName
            }
            .select { $0.lastName }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "sales and customers by employee and year",
            #"""
            SELECT e."lastName", CAST(strftime('%Y', o."orderDate" + 978307200, 'unixepoch') AS INTEGER),
            count(DISTINCT o."customer"), count(*) FROM "order" o JOIN "employee" e ON e."id" = o."employee"
            GROUP BY 1, 2 ORDER BY 1, 2
            """#
        ) { context in
            let rows = try Northwind.Order.grouped { ($0.employee.lastName, $0.orderDate.year) }
                .order { [$0.employee.lastName.ascending, $0.orderDate.year.ascending] }
                .select { ($0.customer.distinctCount, $0.id.count) }.all(in: context)
            return rows.map { row($0.key.0, $0.key.1, $0.value.0, $0.value.1) }
        }
        ask(
            "employees who have sold nothing to a country",
            #"""
            SELECT "lastName" FROM "employee" WHERE "id" NOT IN (SELECT "employee" FROM "order"
            WHERE "shipCountry" = 'Greece') ORDER BY 1
            """#
        ) { context in
            let rows = try Northwind.Employee.where {
                !$0.orders.exists { $0.shipCountry == "Greece" }
            }
            .order { $0.lastName }.select { $0.lastName }.all(in: context)
            return rows.map { row($0) }
        }
        ask(
            "the regions of each employee",
            #"""
            SELECT DISTINCT e."lastName", r."name" FROM "employeeTerritory" t
            JOIN "employee" e ON e."id" = t."employee" JOIN "territory" d ON d."id" = t."territory"
            JOIN "region" r ON r."id" = d."region"
            """#, isOrdered: false
        ) { context in
            let rows = try Northwind.EmployeeTerritory.select {
                ($0.employee.lastName, $0.territory.region.name)
            }
            .distinct().all(in: context)
            return rows.map { row($0.0, $0.1) }
        }
    }
}
#endif
