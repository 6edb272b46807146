// An array of objects leaves a write as little as one object does.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let users: [Managed<User>] = try dal.write { try User.all(in: $0) }
    // expected-error: an object stays in the write that made it
    print(users.count)
}
