// A table is made for a struct, not for one of its properties.

import Skiathos

struct Book {
    @Entity var title = ""
    // expected-error: 'extension' macro cannot be attached to property ('title')
    // expected-error: 'member' macro cannot be attached to property ('title')
}
