#if Macros
import Skiathos

extension Question {
    static let provinces = Question(
        "provinces", "In which countries and states do customers live?", statements: 1
    ) { context in
        let places = Customer.order { [$0.country.ascending, ($0.state ?? "-").ascending] }
            .select { ($0.country, $0.state ?? "-") }
            .distinct()
        return Table(
            "country", "state",
            rows: try places.all(in: context).map { [.text($0), .text($1)] })
    }
}
#endif
