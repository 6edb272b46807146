// A condition asks for a value and does not set it.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { [$0.age == 5] }, in: context)
        // expected-error: 'Condition<User>' to expected element type 'Assignment<User>'
    }
}
