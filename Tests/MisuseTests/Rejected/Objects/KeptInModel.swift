// A model of the main actor would keep the object beyond its write, on another thread.

import Skiathos

@MainActor final class Model {
    var user: Managed<User>?

    func misuse(_ dal: DataAccessLayer) throws {
        try dal.write { context in
            self.user = try User.create(in: context)
            // expected-error: main actor-isolated property 'user' can not be mutated
        }
    }
}
