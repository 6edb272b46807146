// A column that is not optional always differs from nil, so asking for it is a mistake.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.name != nil }, in: context))
        // expected-error: this column always has a value, so that it never equals nil.
    }
}
