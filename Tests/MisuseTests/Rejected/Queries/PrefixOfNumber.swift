// A number has no prefix.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age.hasPrefix("1") }, in: context))
        // expected-error: only texts begin with a text.
    }
}
