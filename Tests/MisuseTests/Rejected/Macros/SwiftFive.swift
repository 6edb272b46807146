// In the Swift 5 mode objects could leave their writes, so no entity can be declared there.
// options: -swift-version 5

import Skiathos

@Entity struct User {
    // expected-error: @Entity expects the Swift 6 language mode
    var name = ""
}
