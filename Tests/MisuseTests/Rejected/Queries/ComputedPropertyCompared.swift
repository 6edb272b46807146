// A computed property is not stored, so the store cannot look for it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.greeting == "Hello" }, in: context))
        // expected-error: value of type 'User.Columns' has no member 'greeting'
    }
}
