// A read changes nothing, so no rows can be deleted in it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.deleteAll(where: { $0.age > 99 }, in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
