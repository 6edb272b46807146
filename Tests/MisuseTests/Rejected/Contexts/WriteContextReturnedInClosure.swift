// A closure that is returned from a write would use the context when it has ended.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let count: @Sendable () throws -> Int = try dal.write { context in
        { try User.count(in: context) }
        // expected-error: capture of 'context' with non-Sendable type 'WriteContext'
    }
    print(try count())
}
