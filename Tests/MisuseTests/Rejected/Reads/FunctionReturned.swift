// A function that leaves a read must be Sendable, since it may be called on any thread.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let count: () throws -> Int = try dal.read { context in
        // expected-error: type '() throws -> Int' does not conform to the 'Sendable' protocol
        { try User.count(in: context) }
    }
    print(try count())
}
