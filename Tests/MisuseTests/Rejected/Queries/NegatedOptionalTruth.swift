// A Bool that may be missing is neither.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { !$0.isGuest.optional }, in: context))
        // expected-error: a Bool that may be missing is no condition. Write '$0.isGuest == true' or '$0.isGuest != true'.
    }
}
