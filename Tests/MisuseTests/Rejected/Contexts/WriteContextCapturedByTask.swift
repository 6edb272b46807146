// A task would use the connection of a write while its closure does, and after it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        Task { print(try User.count(in: context)) }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
