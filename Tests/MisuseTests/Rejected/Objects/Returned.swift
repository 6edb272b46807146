// An object belongs to its write: outside it would be changed while nothing stores the change.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user: Managed<User> = try dal.write { try User.create(in: $0) }
    // expected-error: an object stays in the write that made it
    print(user.name)
}
