#if Macros
import Foundation
import Skiathos

struct EmployeeRecord: ShopRecord {
    let employeeId: Int64
    let lastName: String
    let firstName: String
    let title: String
    let reportsTo: Int64?
    let birthDate: Date
    let hireDate: Date
    let address: String?
    let city: String?
    let state: String?
    let country: String?
    let postalCode: String?
    let phone: String?
    let fax: String?
    let email: String

    var row: Employee {
        var row = Employee(id: .init(rawValue: employeeId))
        row.firstName = firstName
        row.lastName = lastName
        row.title = title
        row.reportsTo = reportsTo.map(Employee.ID.init(rawValue:))
        row.birthDate = birthDate
        row.hireDate = hireDate
        row.address = address?.ifNotEmpty
        row.city = city?.ifNotEmpty
        row.state = state?.ifNotEmpty
        row.country = country?.ifNotEmpty
        row.postalCode = postalCode?.ifNotEmpty
        row.phone = phone?.ifNotEmpty
        row.fax = fax?.ifNotEmpty
        row.email = email
        return row
    }
}

struct CustomerRecord: ShopRecord {
    let customerId: Int64
    let firstName: String
    let lastName: String
    let company: String?
    let address: String?
    let city: String?
    let state: String?
    let country: String
    let postalCode: String?
    let phone: String?
    let fax: String?
    let email: String
    let supportRepId: Int64?

    var row: Customer {
        var row = Customer(id: .init(rawValue: customerId))
        row.firstName = firstName
        row.lastName = lastName
        row.company = company?.ifNotEmpty
        row.address = address?.ifNotEmpty
        row.city = city?.ifNotEmpty
        row.state = state?.ifNotEmpty
        row.country = country
        row.postalCode = postalCode?.ifNotEmpty
        row.phone = phone?.ifNotEmpty
        row.fax = fax?.ifNotEmpty
        row.email = email
        row.supportRep = supportRepId.map(Employee.ID.init(rawValue:))
        return row
    }
}
#endif
