#if Macros
import Foundation
import Skiathos

struct InvoiceRecord: ShopRecord {
    let invoiceId: Int64
    let customerId: Int64
    let invoiceDate: Date
    let billingAddress: String?
    let billingCity: String?
    let billingState: String?
    let billingCountry: String
    let billingPostalCode: String?
    let total: Decimal

    var row: Invoice {
        var row = Invoice(id: .init(rawValue: invoiceId))
        row.customer = .init(rawValue: customerId)
        row.date = invoiceDate
        row.billingAddress = billingAddress?.ifNotEmpty
        row.billingCity = billingCity?.ifNotEmpty
        row.billingState = billingState?.ifNotEmpty
        row.billingCountry = billingCountry
        row.billingPostalCode = billingPostalCode?.ifNotEmpty
        row.total = total
        return row
    }
}

struct InvoiceLineRecord: ShopRecord {
    let invoiceLineId: Int64
    let invoiceId: Int64
    let trackId: Int64
    let unitPrice: Decimal
    let quantity: Int

    var row: InvoiceLine {
        var row = InvoiceLine(id: .init(rawValue: invoiceLineId))
        row.invoice = .init(rawValue: invoiceId)
        row.track = .init(rawValue: trackId)
        row.unitPrice = unitPrice
        row.quantity = quantity
        return row
    }
}
#endif
