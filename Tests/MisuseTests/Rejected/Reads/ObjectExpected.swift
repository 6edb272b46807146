// A read finds values, so they cannot be taken for objects.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user: Managed<User>? = try User.find(1, in: context)
        // expected-error: cannot assign value of type 'User?' to type 'Managed<User>?'
        print(user?.name ?? "")
    }
}
