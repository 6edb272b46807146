// A stream would pass the object to any listener, at some later time.

import Skiathos

func misuse(_ dal: DataAccessLayer, _ continuation: AsyncStream<Managed<User>>.Continuation) throws
{
    try dal.write { context in
        continuation.yield(try User.create(in: context))
        // expected-error: sending value of non-Sendable type 'Managed<User>' risks
    }
}
