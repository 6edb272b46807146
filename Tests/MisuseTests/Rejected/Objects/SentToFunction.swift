// A function that takes an object for good could hand it to another thread.

import Skiathos

func take(_ user: sending Managed<User>) {}

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        take(user)
        // expected-error: sending 'user' risks causing data races
    }
}
