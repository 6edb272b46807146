// A detached task would use the object on another thread.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        Task.detached { user.age += 1 }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
