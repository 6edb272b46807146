#if Macros
import Skiathos

extension Question {
    static let privateCustomers = Question(
        "private-customers", "How many customers of each country have no company?", statements: 1
    ) { context in
        let countries = Customer.grouped { $0.country }
            .order { $0.id.count.descending }
            .select { ($0.id.count, ($0.company == nil).then(1, else: 0).sum) }
        return Table(
            "country", "customers", "private", "share",
            rows: try countries.all(in: context).map { country, counts in
                let (all, withoutCompany) = counts
                return [
                    .text(country), .number(all), .number(withoutCompany),
                    .share(withoutCompany, of: all),
                ]
            })
    }
}
#endif
