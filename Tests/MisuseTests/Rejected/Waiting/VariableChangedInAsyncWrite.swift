// The closure runs on another thread, so it cannot change a variable of the caller.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    var count = 0
    try await dal.write { context in
        count += try User.deleteAll(in: context)
        // expected-error: mutation of captured var 'count' in concurrently-executing code
    }
    print(count)
}
