// A sort key is made in a closure.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.order(\.age).all(in: context))
        // expected-error: write 'order { $0.age }' or 'order { $0.age.descending }'
    }
}
