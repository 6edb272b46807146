// A static property can be reached from everywhere, so it cannot hold an object.

import Skiathos

enum Cache {
    static var user: Managed<User>?
    // expected-error: static property 'user' is not concurrency-safe
}
