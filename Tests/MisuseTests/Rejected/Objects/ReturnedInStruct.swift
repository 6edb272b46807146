// A struct around an object is no way out of a write either.

import Skiathos

struct Draft {
    var user: Managed<User>
}

func misuse(_ dal: DataAccessLayer) throws {
    let draft: Draft = try dal.write { Draft(user: try User.create(in: $0)) }
    // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
    print(draft.user.name)
}
