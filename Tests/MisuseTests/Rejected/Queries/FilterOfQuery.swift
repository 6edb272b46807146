// A query is restricted by where.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.query.filter { $0.age > 18 }.all(in: context))
        // expected-error: 'filter' has been renamed to 'where(_:)'
    }
}
