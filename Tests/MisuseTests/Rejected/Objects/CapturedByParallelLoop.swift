// A parallel loop would use the objects of one write on several threads.

import Dispatch
import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let users = try User.all(in: context)
        DispatchQueue.concurrentPerform(iterations: users.count) { users[$0].age += 1 }
        // expected-error: capture of 'users' with non-Sendable type '[Managed<User>]'
    }
}
