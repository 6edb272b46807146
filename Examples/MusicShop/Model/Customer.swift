#if Macros
import Skiathos

/// A person who has bought something.
@Entity struct Customer {
    var firstName = ""
    var lastName = ""
    var company: String?
    var address: String?
    var city: String?
    var state: String?
    @Indexed var country = ""
    var postalCode: String?
    var phone: String?
    var fax: String?
    @Unique var email = ""
    @References(onDelete: .nullify) var supportRep: Employee.ID?

    var invoices: ToMany<Invoice> { ToMany(\.customer, of: id) }
}
#endif
