// A dispatch queue would use the connection of a read on another thread.

import Dispatch
import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        DispatchQueue.global().async { print(context.schema) }
        // expected-error: capture of 'context' with non-Sendable type 'ReadContext'
    }
}
