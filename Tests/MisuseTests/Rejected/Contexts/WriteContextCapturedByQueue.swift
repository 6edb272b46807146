// A dispatch queue would use the connection of a write on another thread.

import Dispatch
import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        DispatchQueue.global().async { print(context.schema) }
        // expected-error: capture of 'context' with non-Sendable type 'WriteContext'
    }
}
