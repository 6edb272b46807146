// The caller of an awaited write has another thread, where its object has no place.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    var kept: Managed<User>?
    try await dal.write { context in
        kept = try User.create(in: context)
        // expected-error: capture of 'kept' with non-Sendable type 'Managed<User>?'
        // expected-error: mutation of captured var 'kept' in concurrently-executing code
    }
    print(kept?.name ?? "")
}
