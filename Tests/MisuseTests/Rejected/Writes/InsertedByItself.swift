// A value does not store itself.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User(id: .unassigned).insert(in: context)
        // expected-error: the type stores its values: write 'User.insert(user, in: context)'.
    }
}
