// A variable around the closure would keep the context of a write beyond its end.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    var kept: WriteContext?
    try dal.write { context in
        kept = context
        // expected-error: capture of 'kept' with non-Sendable type 'WriteContext?'
        // expected-error: mutation of captured var 'kept' in concurrently-executing code
    }
    print(kept as Any)
}
