// A variable that every thread may use cannot hold what only one may.

import Skiathos

var kept: Managed<User>?
// expected-error: var 'kept' is not concurrency-safe

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { kept = try User.create(in: $0) }
}
