// A column alone is a condition only if it is a Bool.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.born }, in: context))
        // expected-error: a column alone is no condition unless it is a Bool. Compare it, as in '$0.age >= 18' or '$0.name != nil'.
    }
}
