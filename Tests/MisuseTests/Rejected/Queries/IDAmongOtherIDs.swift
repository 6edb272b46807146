// A list of IDs must be of the entity that is asked for.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let companies = try Company.ids(in: context)
        print(try User.count(where: { $0.id.in(companies) }, in: context))
        // expected-error: '[EntityID<Company>]' to expected argument type '[User.ID]'
    }
}
