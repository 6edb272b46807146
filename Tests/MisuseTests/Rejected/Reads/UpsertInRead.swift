// A read changes nothing, so it can neither insert nor update.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.upsert(User(email: "ada@example.org"), by: \.email, in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
