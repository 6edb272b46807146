// A number has no suffix.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age.hasSuffix("1") }, in: context))
        // expected-error: only texts end with a text.
    }
}
