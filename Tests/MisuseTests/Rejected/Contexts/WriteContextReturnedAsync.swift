// Awaiting the write makes no difference: its context ends with its closure.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    let context: WriteContext = try await dal.write { $0 }
    // expected-error: a context stays in the closure that it was given to
    print(context.schema)
}
