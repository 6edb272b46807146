// A column alone is not a condition.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age }, in: context))
        // expected-error: a column alone is no condition unless it is a Bool. Compare it
    }
}
