// Awaiting the read makes no difference: its context ends with its closure.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    let context: ReadContext = try await dal.read { $0 }
    // expected-error: a context stays in the closure that it was given to
    print(context.schema)
}
