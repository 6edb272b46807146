// A task would use the object while the write runs, and after it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        Task { print(user.name) }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
