// Two columns are compared if their types are the same; `optional` makes them so.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.name == $0.email }, in: context))
        // expected-error: both sides need the same type. Write '.optional' after the one that always has a value
    }
}
