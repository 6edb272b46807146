// A write that blocks until its turn would hold a thread that other tasks need.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    try dal.write { try User.deleteAll(in: $0) }
    // expected-error: expression is 'async' but is not marked with 'await'
}
