// Emptying the store waits for its turn, and must not hold a thread meanwhile.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    try dal.reset()
    // expected-error: expression is 'async' but is not marked with 'await'
}
