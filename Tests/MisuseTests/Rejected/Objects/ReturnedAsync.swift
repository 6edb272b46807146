// Awaiting the write makes no difference: its object stays inside.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    let user: Managed<User> = try await dal.write { try User.create(in: $0) }
    // expected-error: an object stays in the write that made it
    print(user.name)
}
