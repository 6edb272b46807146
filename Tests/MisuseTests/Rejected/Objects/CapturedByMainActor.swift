// A write does not run on the main thread, and its objects do not go there.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        MainActor.assumeIsolated { print(user.name) }
        // expected-error: sending 'user' risks causing data races
    }
}
