// The context of a write ends with its closure, so it cannot be returned.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let context: WriteContext = try dal.write { $0 }
    // expected-error: a context stays in the closure that it was given to
    print(context.schema)
}
