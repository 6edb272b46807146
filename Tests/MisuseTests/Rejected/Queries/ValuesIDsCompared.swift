// The IDs of two values of different entities cannot be the same thing.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        let user = try User.first(in: context)
        let company = try Company.first(in: context)
        guard let user, let company else { return }
        print(user.id == company.id)
        // expected-error: the IDs of different entities cannot be compared
    }
}
