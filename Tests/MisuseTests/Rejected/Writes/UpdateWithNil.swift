// A column that is not optional cannot be emptied.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.update(set: { [$0.age.set(to: nil)] }, in: context)
        // expected-error: 'nil' is not compatible with expected argument type 'Int'
    }
}
