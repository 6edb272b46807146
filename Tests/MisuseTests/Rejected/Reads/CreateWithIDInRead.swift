// A read changes nothing, whatever ID is chosen.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try Company.create(id: "acme", in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
