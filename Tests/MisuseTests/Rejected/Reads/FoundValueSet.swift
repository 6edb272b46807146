// A read gives values: setting a property of one that is stored nowhere would be lost.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.find(1, in: context)?.age = 37
        // expected-error: cannot assign to property: function call returns immutable value
    }
}
