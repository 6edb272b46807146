// A function cannot be stored.

import Skiathos

let callback = ColumnSchema("callback", Coding.of((@Sendable () -> Void).self))
// expected-error: this type cannot be stored in a column
