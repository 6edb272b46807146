// A property must have a type that a column can keep.

import Skiathos

struct Cover: Sendable {
    var width = 0
}

@Entity struct Book {
    // expected-error: this type cannot be stored in a column
    var title = ""
    var cover = Cover()
}
