// The property of a class would keep the context of a write beyond its end.

import Skiathos

final class Cache {
    var context: WriteContext?
}

func misuse(_ dal: DataAccessLayer, _ cache: Cache) throws {
    try dal.write { context in
        cache.context = context
        // expected-error: capture of 'cache' with non-Sendable type 'Cache'
    }
}
