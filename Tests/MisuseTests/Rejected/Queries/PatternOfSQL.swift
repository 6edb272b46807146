// Patterns of SQL are functions of texts.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.where { $0.name.like("%x%") }.all(in: context))
        // expected-error: write '.contains("x")', '.hasPrefix("x")' or '.hasSuffix("x")'
    }
}
