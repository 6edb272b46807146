// A value that was read and is kept in a constant is not the object of a write.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user = try User.first(in: context)
        user?.age = 37
        // expected-error: cannot assign to property: 'user' is a 'let' constant
    }
}
