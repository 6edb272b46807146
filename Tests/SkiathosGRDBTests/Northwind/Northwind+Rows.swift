#if Macros
import Foundation
import Skiathos
import ReliabilityKit
import TestSupport

extension Northwind {
    /// Fills a store with rows of our own, the same for the same seed.
    static func fill(_ dal: DataAccessLayer, seed: UInt64) async throws {
        try await dal.write { context in
            var rows = RowMaker(seed: seed)
            try rows.makeCatalogue(in: context)
            try rows.makeStaff(in: context)
            try rows.makeCustomers(in: context)
            try rows.makeOrders(in: context)
        }
    }
}

/// Makes rows by chance.
private struct RowMaker {
    private var generator: SeededNumbers
    private var products: [Northwind.Product.ID] = []
    private var prices: [Decimal] = []
    private var employees: [Northwind.Employee.ID] = []
    private var customers: [Northwind.Customer.ID] = []
    private var shippers: [Northwind.Shipper.ID] = []

    private static let countries = ["Brazil", "France", "Germany", "Greece", "USA"]
    private static let cities = ["Athens", "Berlin", "Lyon", "Paris", "Rio", "Seattle"]

    init(seed: UInt64) { generator = SeededNumbers(seed: seed) }

    private mutating func choose<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    private mutating func money(_ cents: ClosedRange<Int>) -> Decimal {
        Decimal(Int.random(in: cents, using: &generator)) / 100
    }

    mutating func makeCatalogue(in context: WriteContext) throws {
        let categories = try ["Beverages", "Condiments", "Confections", "Produce", "Seafood"].map {
            name in try Northwind.Category.create(in: context) { $0.name = name }.id
        }
        var suppliers: [Northwind.Supplier.ID] = []
        for number in 0..<8 {
            let (city, country) = (choose(Self.cities), choose(Self.countries))
            suppliers.append(
                try Northwind.Supplier.create(in: context) {
                    $0.company = "Supplier \(number)"
                    $0.city = city
                    $0.country = country
                }.id)
        }
        for number in 0..<40 {
            let (supplier, category) = (choose(suppliers), choose(categories))
            let price = money(100...12_000)
            let units = (0..<3).map { _ in Int.random(in: 0...40, using: &generator) }
            let isDiscontinued = Int.random(in: 0..<5, using: &generator) == 0
            products.append(
                try Northwind.Product.create(in: context) {
                    $0.name = (number % 3 == 0 ? "Chai " : "Tofu ") + "\(number)"
                    $0.supplier = supplier
                    $0.category = category
                    $0.unitPrice = price
                    $0.unitsInStock = units[0]
                    $0.unitsOnOrder = units[1]
                    $0.reorderLevel = units[2]
                    $0.isDiscontinued = isDiscontinued
                }.id)
            prices.append(price)
        }
    }

    mutating func makeStaff(in context: WriteContext) throws {
        let regions = try ["Eastern", "Northern", "Western"].map { name in
            try Northwind.Region.create(in: context) { $0.name = name }.id
        }
        var territories: [Northwind.Territory.ID] = []
        for number in 0..<12 {
            let region = choose(regions)
            territories.append(
                try Northwind.Territory.create(
                    id: Northwind.Territory.ID("T\(number)"), in: context
                ) {
                    $0.name = "Territory \(number)"
                    $0.region = region
                }.id)
        }
        for number in 0..<9 {
            let manager = number == 0 ? nil : employees[(number - 1) / 3]
            let days = Double.random(in: -4000 ... -3000, using: &generator).rounded()
            employees.append(
                try Northwind.Employee.create(in: context) {
                    $0.firstName = "First\(number)"
                    $0.lastName = "Last\(number)"
                    $0.hireDate = Date(timeIntervalSinceReferenceDate: days * 86_400)
                    $0.manager = manager
                }.id)
            for territory in Set([choose(territories), choose(territories)]) {
                let employee = employees[number]
                try Northwind.EmployeeTerritory.create(in: context) {
                    $0.employee = employee
                    $0.territory = territory
                }
            }
        }
    }

    mutating func makeCustomers(in context: WriteContext) throws {
        let types = try ["retail", "wholesale"].map { name in
            try Northwind.CustomerType.create(
                id: Northwind.CustomerType.ID(name), in: context
            ) { $0.purpose = name }.id
        }
        for number in 0..<20 {
            let (city, country) = (choose(Self.cities), choose(Self.countries))
            let region = choose([nil, "BC", "RJ", "WA"])
            let customer = try Northwind.Customer.create(
                id: Northwind.Customer.ID("CUST\(number)"), in: context
            ) {
                $0.company = "Customer \(number)"
                $0.city = city
                $0.country = country
                $0.region = region
            }
            customers.append(customer.id)
            for type in Set([choose(types), choose(types)]) where number % 4 != 0 {
                let id = customer.id
                try Northwind.CustomerOfType.create(in: context) {
                    $0.customer = id
                    $0.type = type
                }
            }
        }
    }

    mutating func makeOrders(in context: WriteContext) throws {
        shippers = try ["Federal", "Speedy", "United"].map { name in
            try Northwind.Shipper.create(in: context) { $0.company = name }.id
        }
        for _ in 0..<150 {
            // The last customers have ordered nothing.
            let (customer, employee) = (choose(Array(customers.dropLast(3))), choose(employees))
            let (shipper, country) = (choose(shippers), choose(Self.countries))
            let day = Double.random(in: -1600 ... -700, using: &generator).rounded()
            let shipped = Int.random(in: 0...40, using: &generator)
            let freight = money(50...20_000)
            let order = try Northwind.Order.create(in: context) {
                $0.customer = customer
                $0.employee = employee
                $0.shipper = shipper
                $0.orderDate = Date(timeIntervalSinceReferenceDate: day * 86_400)
                $0.requiredDate = Date(timeIntervalSinceReferenceDate: (day + 28) * 86_400)
                $0.shippedDate =
                    shipped == 0
                    ? nil : Date(timeIntervalSinceReferenceDate: (day + Double(shipped)) * 86_400)
                $0.freight = freight
                $0.shipCountry = country
            }.id
            try makeLines(of: order, in: context)
        }
    }

    private mutating func makeLines(of order: Northwind.Order.ID, in context: WriteContext) throws {
        let count = Int.random(in: 1...5, using: &generator)
        // The last products were never ordered.
        for index in (0..<36).shuffled(using: &generator).prefix(count) {
            let isReduced = Int.random(in: 0..<4, using: &generator) == 0
            let discount = choose([Decimal(0), Decimal(5) / 100, Decimal(1) / 10])
            let quantity = Int.random(in: 1...6, using: &generator) * 5
            let (product, price) = (products[index], prices[index])
            try Northwind.OrderLine.create(in: context) {
                $0.order = order
                $0.product = product
                $0.unitPrice = isReduced ? price - 1 : price
                $0.quantity = quantity
                $0.discount = discount
            }
        }
    }
}
#endif
