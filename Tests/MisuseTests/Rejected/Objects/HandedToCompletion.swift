// A completion runs after its write, when the write's objects are no more.

import Skiathos

func misuse(_ dal: DataAccessLayer) {
    dal.write({ try User.create(in: $0) }, completion: { print($0) })
    // expected-error: an object stays in the write that made it
}
