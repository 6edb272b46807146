// An array around the closure would keep the objects beyond their write.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    var kept: [Managed<User>] = []
    try dal.write { context in
        kept.append(try User.create(in: context))
        // expected-error: capture of 'kept' with non-Sendable type '[Managed<User>]'
        // expected-error: mutation of captured var 'kept' in concurrently-executing code
    }
    print(kept.count)
}
