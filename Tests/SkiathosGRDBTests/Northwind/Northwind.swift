#if Macros
import Foundation
import Skiathos

/// The tables of Northwind, the trading company of many SQL courses, as entities.
enum Northwind {
    /// All of them, those that are referred to first.
    static let entities: [any Entity.Type] = [
        Category.self, Supplier.self, Product.self, Region.self, Territory.self, Employee.self,
        EmployeeTerritory.self, CustomerType.self, Customer.self, CustomerOfType.self,
        Shipper.self, Order.self, OrderLine.self,
    ]
}

extension Northwind {
    @Entity struct Category {
        @Unique var name = ""

        var products: ToMany<Product> { ToMany(\.category, of: id) }
    }

    @Entity struct Supplier {
        var company = ""
        var city = ""
        var country = ""

        var products: ToMany<Product> { ToMany(\.supplier, of: id) }
    }

    @Entity struct Product {
        var name = ""
        @References(onDelete: .deny) var supplier: Supplier.ID = .unassigned
        @References(onDelete: .deny) var category: Category.ID = .unassigned
        var unitPrice = Decimal(0)
        var unitsInStock = 0
        var unitsOnOrder = 0
        var reorderLevel = 0
        var isDiscontinued = false

        var lines: ToMany<OrderLine> { ToMany(\.product, of: id) }
    }

    @Entity struct Region {
        @Unique var name = ""
    }

    @Entity(id: String.self) struct Territory {
        var name = ""
        @References(onDelete: .deny) var region: Region.ID = .unassigned
    }

    @Entity struct Employee {
        var firstName = ""
        var lastName = ""
        var hireDate = Date(timeIntervalSinceReferenceDate: 0)
        @References(onDelete: .nullify) var manager: Employee.ID?

        var orders: ToMany<Order> { ToMany(\.employee, of: id) }
    }

    @Entity struct EmployeeTerritory {
        @Unique(with: "territory") @References(onDelete: .cascade)
        var employee: Employee.ID = .unassigned
        @References(onDelete: .cascade) var territory: Territory.ID = .unassigned
    }

    @Entity(id: String.self) struct CustomerType {
        var purpose = ""
    }

    @Entity(id: String.self) struct Customer {
        var company = ""
        var city = ""
        var country = ""
        var region: String?

        var orders: ToMany<Order> { ToMany(\.customer, of: id) }
        var types: ManyToMany<CustomerType, CustomerOfType> {
            ManyToMany(\.customer, \.type, of: id)
        }
    }

    @Entity struct CustomerOfType {
        @Unique(with: "type") @References(onDelete: .cascade)
        var customer: Customer.ID = .unassigned
        @References(onDelete: .cascade) var type: CustomerType.ID = .unassigned
    }

    @Entity struct Shipper {
        var company = ""
    }

    @Entity struct Order {
        @References(onDelete: .deny) var customer: Customer.ID = .unassigned
        @References(onDelete: .deny) var employee: Employee.ID = .unassigned
        @References(onDelete: .deny) var shipper: Shipper.ID = .unassigned
        @Indexed var orderDate = Date(timeIntervalSinceReferenceDate: 0)
        var requiredDate = Date(timeIntervalSinceReferenceDate: 0)
        var shippedDate: Date?
        var freight = Decimal(0)
        var shipCountry = ""

        var lines: ToMany<OrderLine> { ToMany(\.order, of: id) }
    }

    @Entity struct OrderLine {
        @Unique(with: "product") @References(onDelete: .cascade)
        var order: Order.ID = .unassigned
        @References(onDelete: .deny) var product: Product.ID = .unassigned
        var unitPrice = Decimal(0)
        var quantity = 0
        var discount = Decimal(0)
    }
}
#endif
