// A column has no members but its own.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.name.size == 3 }.all(in: context))
        // expected-error: a column of this type has no such member.
    }
}
