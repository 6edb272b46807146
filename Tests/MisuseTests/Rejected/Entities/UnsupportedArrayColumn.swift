// An array can be stored only if its elements can.

import Skiathos

struct Weight: Sendable {
    var grams = 0
}

let weights = ColumnSchema("weights", Coding.of([Weight].self))
// expected-error: this type cannot be stored in a column
