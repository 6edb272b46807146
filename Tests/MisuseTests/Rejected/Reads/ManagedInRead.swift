// A read has no objects, so a value cannot become one in it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.first(in: context)?.managed(in: context).age = 37
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
