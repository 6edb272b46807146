// A global variable would keep the object beyond its write.

import Skiathos

@MainActor var kept: Managed<User>?

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        kept = try User.create(in: context)
        // expected-error: main actor-isolated var 'kept' can not be mutated
    }
}
