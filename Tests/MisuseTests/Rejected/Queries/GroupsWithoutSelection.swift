// Groups have no rows of their own.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.grouped { $0.name }.all(in: context))
        // expected-error: say what is wanted of each group first: '.select { $0.id.count }.all(in: context)'.
    }
}
