// A variable around the closure would keep the object beyond its write.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    var kept: Managed<User>?
    try dal.write { context in
        kept = try User.create(in: context)
        // expected-error: capture of 'kept' with non-Sendable type 'Managed<User>?'
        // expected-error: mutation of captured var 'kept' in concurrently-executing code
    }
    print(kept?.name ?? "")
}
