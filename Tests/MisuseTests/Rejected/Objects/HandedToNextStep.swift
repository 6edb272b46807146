// The steps of a chain are writes of their own, so an object cannot pass from one to the next.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let chain = try dal.write { try User.create(in: $0) }.write { $1.age = 1 }
    // expected-error: an object stays in the write that made it
    print(chain)
}
