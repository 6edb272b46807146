// A date is no text.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.born > "2024-01-01" }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
