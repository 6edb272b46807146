// An entity has columns, so it cannot be an enum.

import Skiathos

@Entity enum Book {
    // expected-error: @Entity expects a struct, since reads return values
    case novel
}
