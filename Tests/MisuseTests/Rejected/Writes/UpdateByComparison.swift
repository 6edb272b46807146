// A comparison sets nothing.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { $0.age == 5 }, in: context)
        // expected-error: a comparison changes nothing. Write '$0.age.set(to: 3)' instead of '$0.age == 3'.
    }
}
