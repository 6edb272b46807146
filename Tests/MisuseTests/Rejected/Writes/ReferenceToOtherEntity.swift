// A reference leads to the entity that it was declared with.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        let user = try User.create(in: context)
        user.company = user.id
        // expected-error: cannot assign value of type 'EntityID<User>' to type 'Company.ID'
    }
}
