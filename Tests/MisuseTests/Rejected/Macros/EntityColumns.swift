// A column with another entity would be a copy that never changes with its row.

import Skiathos

@Entity struct Company: Codable {
    var name = ""
}

@Entity struct City {
    var name = ""
}

@Entity struct Employee {
    // expected-error: a column cannot hold another entity: keep its ID
    var company: Company? = nil
    var companies: [Company] = []
    var city = City()
}
