// A detached task would use the connection of a read on another thread.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        Task.detached { print(try User.count(in: context)) }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
