// The array that a read returns is a value, so setting its element would be lost.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.all(in: context)[0].age = 37
        // expected-error: cannot assign to property: function call returns immutable value
    }
}
