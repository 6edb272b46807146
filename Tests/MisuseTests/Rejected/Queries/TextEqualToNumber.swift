// A text never equals a number.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.name == 5 }, in: context))
        // expected-error: cannot convert value of type 'Int' to expected argument type 'String'
    }
}
