// A read changes nothing, so nothing can be created in it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.create(in: context) { $0.name = "Ada" }
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
