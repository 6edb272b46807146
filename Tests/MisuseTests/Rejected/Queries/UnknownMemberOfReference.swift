// A reference has the columns of its target alone.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.company.size == 3 }.all(in: context))
        // expected-error: a column of this type has no such member.
    }
}
