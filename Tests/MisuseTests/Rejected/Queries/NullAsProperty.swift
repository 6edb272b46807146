// No value is nil.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.email.isNull }.all(in: context))
        // expected-error: 'isNull' is unavailable: write '== nil'.
    }
}
