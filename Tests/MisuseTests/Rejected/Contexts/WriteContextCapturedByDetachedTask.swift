// A detached task would use the connection of a write on another thread.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        Task.detached { print(try User.count(in: context)) }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
