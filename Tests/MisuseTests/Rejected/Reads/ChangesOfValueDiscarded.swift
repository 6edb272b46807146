// A value does not remember what it was, so nothing can be undone.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user = try User.first(in: context)
        try user?.discardChanges()
        // expected-error: value of type 'User' has no member 'discardChanges'
    }
}
