#if Macros
import Foundation
import Skiathos

/// A person who works for the shop.
@Entity struct Employee {
    var firstName = ""
    var lastName = ""
    var title = ""
    /// The manager; whose manager goes has none.
    @References(onDelete: .nullify) var reportsTo: Employee.ID?
    var birthDate = Date(timeIntervalSinceReferenceDate: 0)
    var hireDate = Date(timeIntervalSinceReferenceDate: 0)
    var address: String?
    var city: String?
    var state: String?
    var country: String?
    var postalCode: String?
    var phone: String?
    var fax: String?
    @Unique var email = ""

    var name: String { "\(firstName) \(lastName)" }
    var reports: ToMany<Employee> { ToMany(\.reportsTo, of: id) }
    var customers: ToMany<Customer> { ToMany(\.supportRep, of: id) }
}
#endif
