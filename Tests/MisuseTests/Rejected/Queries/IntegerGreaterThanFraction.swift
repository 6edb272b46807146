// An integer column is compared with integers, so that nothing is rounded in silence.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age > 1.5 }, in: context))
        // expected-error: cannot convert value of type 'Double' to expected argument type 'Int'
    }
}
