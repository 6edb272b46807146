// A dispatch queue would use the object on another thread.

import Dispatch
import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        DispatchQueue.global().async { print(user.name) }
        // expected-error: capture of 'user' with non-Sendable type 'Managed<User>'
    }
}
