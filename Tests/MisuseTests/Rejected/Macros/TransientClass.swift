// What is not stored still travels with the value, so it must be Sendable.

import Skiathos

final class Cover {
    var width = 0
}

@Entity struct Book {
    var title = ""
    @Transient var cover: Cover?
    // expected-error: 'Sendable'-conforming struct 'Book' contains non-Sendable type 'Cover'
}
