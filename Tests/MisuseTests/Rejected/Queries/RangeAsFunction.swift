// A range is one of Swift's.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.age.between(18, 65) }.all(in: context))
        // expected-error: write '.in(18...65)' or '(18...65).contains($0.age)'
    }
}
