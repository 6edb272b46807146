// Only numbers can be added to.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { [$0.name.add("!")] }, in: context)
        // expected-error: only numbers are added to.
    }
}
