// A value that may be missing is not what a column that always has one is compared with.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let email = try User.first(in: context)?.email
        print(try User.count(where: { $0.name == email }, in: context))
        // expected-error: value of optional type 'String?' must be unwrapped
    }
}
