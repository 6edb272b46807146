// An object has the properties of its entity and no others.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.height = 2
        // expected-error: value of type 'Managed<User>' has no dynamic member 'height'
    }
}
