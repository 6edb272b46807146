// The IDs of different entities are different types, so they cannot be mixed up.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let company = try Company.ids(in: context)[0]
        print(try User.count(where: { $0.id == company }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
