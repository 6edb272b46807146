// A number that is not a literal is made an ID first.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.find(Int("5") ?? 0, in: context) as Any)
        // expected-error: a number is no ID. Write 'User.ID(number)', or keep the ID itself.
    }
}
