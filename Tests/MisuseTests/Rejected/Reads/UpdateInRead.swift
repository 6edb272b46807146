// A read changes nothing, so no rows can be updated in it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try User.update(set: { [$0.age.set(to: 99)] }, in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
