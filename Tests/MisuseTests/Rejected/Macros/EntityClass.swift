// Reads return values, so an entity cannot be a class.

import Skiathos

@Entity final class Book {
    // expected-error: @Entity expects a struct, since reads return values
    var title = ""
}
