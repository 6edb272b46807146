// A variable around the closure would keep the context of a read beyond its end.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    var kept: ReadContext?
    try dal.read { context in
        kept = context
        // expected-error: capture of 'kept' with non-Sendable type 'ReadContext?'
        // expected-error: mutation of captured var 'kept' in concurrently-executing code
    }
    print(kept as Any)
}
