// An optional can be stored only if what it wraps can.

import Skiathos

struct Weight: Sendable {
    var grams = 0
}

let weight = Column<User, Weight?>(1, Coding.of(Weight?.self))
// expected-error: this type cannot be stored in a column
