// A global variable would keep the context of a read beyond its end.

import Skiathos

@MainActor var kept: ReadContext?

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        kept = context
        // expected-error: main actor-isolated var 'kept' can not be mutated
    }
}
