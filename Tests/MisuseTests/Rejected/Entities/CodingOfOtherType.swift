// A column is stored by the coding of its own type.

import Skiathos

let age = Column<User, Int>(3, Coding.of(String.self))
// expected-error: requires the types 'Int' and 'String' be equivalent
