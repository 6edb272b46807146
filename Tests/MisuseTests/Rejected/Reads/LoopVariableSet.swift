// A loop over values that were read cannot change them as if they were objects.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        for user in try User.all(in: context) {
            user.age += 1
            // expected-error: isn't mutable: 'user' is a 'let' constant
        }
    }
}
