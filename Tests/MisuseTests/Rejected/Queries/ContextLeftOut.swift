// Every query says in which context it runs.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.all())
        // expected-error: missing argument for parameter 'in' in call
    }
}
