// The condition of one entity says nothing about another.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { _ in Company.columns.name == "Acme" }, in: context))
        // expected-error: this condition is about the columns of another entity. Use the columns that the closure gets, or a reference's 'matches'.
    }
}
