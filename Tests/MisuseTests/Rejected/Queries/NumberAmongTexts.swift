// A number is in no list of texts.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age.in(["old"]) }, in: context))
        // expected-error: cannot convert value of type 'String' to expected element type 'Int'
    }
}
