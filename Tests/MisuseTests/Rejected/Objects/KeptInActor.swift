// An actor runs on a thread of its own, where the object of a write has no place.

import Skiathos

actor Model {
    var user: Managed<User>?

    func misuse(_ dal: DataAccessLayer) async throws {
        try await dal.write { context in
            self.user = try User.create(in: context)
            // expected-error: actor-isolated property 'user' can not be mutated
        }
    }
}
