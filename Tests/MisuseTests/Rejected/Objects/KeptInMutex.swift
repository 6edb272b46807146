// A lock makes sharing safe for values, but an object is valid in one write only.

import Skiathos
import Synchronization

let kept = Mutex<Managed<User>?>(nil)

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        kept.withLock { $0 = user }
        // expected-error: 'inout sending' parameter '$0' cannot be task-isolated
    }
}
