// A closure that is returned from a read would use the context when it has ended.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let count: @Sendable () throws -> Int = try dal.read { context in
        { try User.count(in: context) }
        // expected-error: capture of 'context' with non-Sendable type 'ReadContext'
    }
    print(try count())
}
