// An upsert looks for columns, so their properties must exist.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.upsert(User(name: "Ada"), by: \.height, in: context)
        // expected-error: value of type 'User' has no member 'height'
    }
}
