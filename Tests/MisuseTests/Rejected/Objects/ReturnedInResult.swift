// A result that holds an object leaves a write as little as the object itself.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user: Result<Managed<User>, any Error> = try dal.write { context in
        // expected-error: an object stays in the write that made it
        Result { try User.create(in: context) }
    }
    print(user)
}
