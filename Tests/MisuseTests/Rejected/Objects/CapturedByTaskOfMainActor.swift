// A task of the main actor would use the object on the main thread.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        Task { @MainActor in print(user.name) }
        // expected-error: sending 'user' risks causing data races
    }
}
