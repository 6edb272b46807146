// The closure of create sets properties to values of their own type.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.create(in: context) { $0.age = "old" }
        // expected-error: cannot assign value of type 'String' to type 'Int'
    }
}
