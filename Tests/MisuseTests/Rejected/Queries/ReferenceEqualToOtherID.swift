// A reference is compared with IDs of the entity that it leads to.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user = try User.ids(in: context)[0]
        print(try User.count(where: { $0.company == user }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
