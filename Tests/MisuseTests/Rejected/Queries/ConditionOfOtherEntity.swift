// The condition of one entity says nothing about another.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { _ in Company.columns.name == "Acme" }, in: context))
        // expected-error: 'Condition<Company>' to closure result type 'Condition<User>'
    }
}
