// Several sort keys are no tuple.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.order { ($0.age.descending, $0.name.ascending) }.all(in: context))
        // expected-error: several sort keys stand in an array, or each in a line of its own
    }
}
