// An assignment gives a column a value of its own type.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { [$0.age.set(to: "old")] }, in: context)
        // expected-error: cannot convert value of type 'String' to expected argument type 'Int'
    }
}
