// Parts of a longer condition are checked like a condition alone.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age >= 18 && $0.name == 5 }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
