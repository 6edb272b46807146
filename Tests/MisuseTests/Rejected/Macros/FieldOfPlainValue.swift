// A value whose fields no list names has none that the store could look for.

import Skiathos

struct Plain: Codable { var city = "" }

@Entity struct House {
    var plain = Plain()
    var other: Plain?
}

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try House.count(where: { $0.plain[\.city] == "Athens" }, in: context))
        // expected-error: only values of types that are @Embedded have fields in queries
    }
}
