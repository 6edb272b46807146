// The property of a class would keep the object beyond its write.

import Skiathos

final class Cache {
    var user: Managed<User>?
}

func misuse(_ dal: DataAccessLayer, _ cache: Cache) throws {
    try dal.write { context in
        cache.user = try User.create(in: context)
        // expected-error: capture of 'cache' with non-Sendable type 'Cache'
    }
}
