// A row is found by the ID of its own entity.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let companies = try Company.ids(in: context)
        print(try User.find(companies[0], in: context) as Any)
        // expected-error: 'EntityID<Company>' to expected argument type 'EntityID<User>'
    }
}
