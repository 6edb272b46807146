// Replacing the whole value of an object would replace its ID with it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.value = User(name: "Ada")
        // expected-error: cannot assign to property: 'value' is a get-only property
    }
}
