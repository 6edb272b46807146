// A new entity is made without arguments, so each property needs a default.

import Skiathos

@Entity struct Book {
    var title: String
    // expected-error: 'title' needs a default so that create(in:) can make a new entity
}
