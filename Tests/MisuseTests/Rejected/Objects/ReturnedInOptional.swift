// An optional object leaves a write as little as a certain one does.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user: Managed<User>? = try dal.write { try User.find(1, in: $0) }
    // expected-error: an object stays in the write that made it
    print(user?.name ?? "")
}
