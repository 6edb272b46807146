// A nested scope hands its object to the write around it, and no further.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user: Managed<User> = try dal.write { context in
        // expected-error: an object stays in the write that made it
        try context.nested { try User.create(in: $0) }
    }
    print(user.name)
}
