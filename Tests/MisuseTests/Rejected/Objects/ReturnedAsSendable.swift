// Hiding the type of an object does not make it a value.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user: any Sendable = try dal.write { context in
        let user = try User.create(in: context)
        return user
        // expected-error: an object stays in the write that made it
    }
    print(user)
}
