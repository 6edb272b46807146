// Values go to any thread, so an instance of a plain class cannot be part of one.

import Skiathos

final class Weight {
    var grams = 0
}

let weight = ColumnSchema("weight", Coding.of(Weight.self))
// expected-error: type 'Weight' does not conform to the 'Sendable' protocol
// expected-error: this type cannot be stored in a column
