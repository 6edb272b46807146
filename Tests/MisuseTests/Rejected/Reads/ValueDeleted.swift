// A value has no row of its own to delete; only the object of a write has.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user = try User.first(in: context)
        try user?.delete()
        // expected-error: a value is not deleted. Find its object in a write, and delete that.
    }
}
