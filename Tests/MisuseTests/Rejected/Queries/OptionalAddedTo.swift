// What may be missing is not computed with.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.select { ($0.born.year + 1) }.all(in: context))
        // expected-error: a row may have no value here. Write '($0.price ?? 0) + 1' with what it then counts as.
    }
}
