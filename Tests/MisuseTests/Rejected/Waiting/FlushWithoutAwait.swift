// Waiting for the disk must not hold a thread that other tasks need.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    try dal.flush()
    // expected-error: expression is 'async' but is not marked with 'await'
}
