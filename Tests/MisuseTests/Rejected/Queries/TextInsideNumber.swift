// A number contains no text.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age.contains("1") }, in: context))
        // expected-error: only texts contain a text.
    }
}
