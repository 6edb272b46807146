// A computed property has no column that could be set.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.greeting = "Hello"
        // expected-error: cannot assign to property: 'greeting' is a get-only property
    }
}
