// A number is neither greater nor smaller than a text.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age >= "old" }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
