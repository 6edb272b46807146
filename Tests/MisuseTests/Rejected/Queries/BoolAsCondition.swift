// A condition is evaluated by the store for each row, so it is more than true or false.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { _ in true }, in: context))
        // expected-error: the store needs a condition that it can ask of each row, not a Bool of Swift.
    }
}
