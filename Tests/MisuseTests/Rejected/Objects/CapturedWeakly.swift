// A weak reference keeps nothing alive, but would be used on another thread all the same.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        Task { [weak user] in print(user?.name ?? "") }
        // expected-error: passing closure as a 'sending' parameter risks causing data races
    }
}
