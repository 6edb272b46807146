// An integer column is compared with integers, so that nothing is rounded in silence.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age > 1.5 }, in: context))
        // expected-error: a column is compared with a value of its own type. Convert the value, or unwrap it if it is optional.
    }
}
