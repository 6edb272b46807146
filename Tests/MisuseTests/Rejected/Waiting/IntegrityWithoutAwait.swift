// Reading every page takes long, and must not hold a thread meanwhile.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    print(try dal.integrityProblems())
    // expected-error: expression is 'async' but is not marked with 'await'
}
