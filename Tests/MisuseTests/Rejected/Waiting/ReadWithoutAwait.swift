// A read that blocks would hold a thread that other tasks need.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    let count = try dal.read { try User.count(in: $0) }
    // expected-error: expression is 'async' but is not marked with 'await'
    print(count)
}
