// The property of a class would keep the context of a read beyond its end.

import Skiathos

final class Cache {
    var context: ReadContext?
}

func misuse(_ dal: DataAccessLayer, _ cache: Cache) throws {
    try dal.read { context in
        cache.context = context
        // expected-error: capture of 'cache' with non-Sendable type 'Cache'
    }
}
