// A dictionary of objects leaves a write as little as one object does.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let users: [User.ID: Managed<User>] = try dal.write { context in
        // expected-error: an object stays in the write that made it
        Dictionary(uniqueKeysWithValues: try User.all(in: context).map { ($0.id, $0) })
    }
    print(users.count)
}
