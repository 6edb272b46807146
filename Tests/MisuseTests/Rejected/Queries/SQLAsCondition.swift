// A condition is no text.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where("age > 18").all(in: context))
        // expected-error: a condition is a closure, 'where { $0.age >= 18 }'
    }
}
