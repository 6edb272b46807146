// A write finds objects, so they cannot be taken for values.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user: User? = try User.find(1, in: context)
        // expected-error: cannot assign value of type 'Managed<User>?' to type 'User?'
        print(user?.name ?? "")
    }
}
