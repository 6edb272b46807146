// A column of all rows is not assigned to.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { $0.age = 5 }, in: context)
        // expected-error: cannot assign to property: 'age' is a 'let' constant
        // expected-error: cannot assign value of type 'Int' to type 'Column<User, Int>'
    }
}
