// A struct that says nothing about how it is stored cannot be a column.

import Skiathos

struct Weight: Sendable {
    var grams = 0
}

let weight = ColumnSchema("weight", Coding.of(Weight.self))
// expected-error: this type cannot be stored in a column
