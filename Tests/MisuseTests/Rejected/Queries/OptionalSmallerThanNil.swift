// No value is smaller or greater than none.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.email < nil }, in: context))
        // expected-error: 'nil' is not compatible with expected argument type 'String'
    }
}
