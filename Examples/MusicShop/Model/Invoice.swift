#if Macros
import Foundation
import Skiathos

/// What a customer has bought at once; no customer can go who has one.
@Entity struct Invoice {
    @References(onDelete: .deny) var customer: Customer.ID = .unassigned
    @Indexed var date = Date(timeIntervalSinceReferenceDate: 0)
    var billingAddress: String?
    var billingCity: String?
    var billingState: String?
    var billingCountry = ""
    var billingPostalCode: String?
    var total = Decimal(0)

    var lines: ToMany<InvoiceLine> { ToMany(\.invoice, of: id) }
}

/// One track on an invoice; what was sold once stays in the catalogue.
@Entity struct InvoiceLine {
    @References(onDelete: .cascade) var invoice: Invoice.ID = .unassigned
    @References(onDelete: .deny) var track: Track.ID = .unassigned
    var unitPrice = Decimal(0)
    var quantity = 0
}
#endif
