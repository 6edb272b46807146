// Without @Entity there is no table for a column attribute to speak of.

import Skiathos

struct Book {
    @Unique var title = ""
    // expected-error: @Unique has a meaning only for the properties of a struct marked @Entity
}
