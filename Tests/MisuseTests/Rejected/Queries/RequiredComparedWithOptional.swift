// A value that may be missing is not what a column that always has one is compared with.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let email = try User.first(in: context)?.email
        print(try User.count(where: { $0.name == email }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
