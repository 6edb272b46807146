// A column has no functions but its own.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.name.sounds(like: "x") }.all(in: context))
        // expected-error: cannot call value of non-function type 'NoSuchMember<User>'
    }
}
