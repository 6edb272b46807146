// A condition is no sort key.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.order { $0.age > 18 }.all(in: context))
        // expected-error: a condition is no sort key. Write '$0.age' or '$0.age.descending', or filter with 'where'.
    }
}
