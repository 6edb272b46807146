// A global variable would keep the context of a write beyond its end.

import Skiathos

@MainActor var kept: WriteContext?

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        kept = context
        // expected-error: main actor-isolated var 'kept' can not be mutated
    }
}
