// Sort keys come as a list, the most important first.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.all(orderedBy: { $0.age.ascending }, in: context))
        // expected-error: 'Ordering<User>' to closure result type '[Ordering<User>]'
    }
}
