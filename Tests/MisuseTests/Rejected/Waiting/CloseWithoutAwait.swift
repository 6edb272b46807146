// Closing waits for what runs, and must not hold a thread meanwhile.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    try dal.close()
    // expected-error: expression is 'async' but is not marked with 'await'
}
