// An ID never changes once it is given.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.id = 2
        // expected-error: cannot assign to property: 'id' is a get-only property
    }
}
