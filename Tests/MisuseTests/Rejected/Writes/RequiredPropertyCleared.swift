// A property that is not optional always has a value.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.age = nil
        // expected-error: 'nil' cannot be assigned to type 'Int'
    }
}
