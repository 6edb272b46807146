// A read changes nothing, so no value can be inserted in it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.insert(User(name: "Ada"), in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
