// Beside a value that may leave, an object still may not.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let pair = try dal.write { context in
        // expected-error: an object stays in the write that made it
        let user = try User.create(in: context)
        return (user.id, user)
    }
    print(pair)
}
