// What was found for a list of IDs in a write is objects, which stay inside.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let found: LookupResult<Managed<User>, User.ID> =
        try dal.write { try User.find([1, 2], in: $0) }
    // expected-error: an object stays in the write that made it
    print(found.missing)
}
