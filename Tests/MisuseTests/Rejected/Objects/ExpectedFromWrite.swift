// A write whose closure ends with an object gives the data access layer, not the object.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let user = try dal.write { try User.create(in: $0) }
    print(user.name)
    // expected-error: value of type 'DataAccessLayer' has no member 'name'
}
