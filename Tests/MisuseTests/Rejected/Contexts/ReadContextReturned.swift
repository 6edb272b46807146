// The context of a read ends with its closure, so it cannot be returned.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let context: ReadContext = try dal.read { $0 }
    // expected-error: a context stays in the closure that it was given to
    print(context.schema)
}
