// A column of all rows is not set by an operator.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { $0.age += 1 }, in: context)
        // expected-error: '+=' is unavailable: write '$0.age.add(1)'.
    }
}
