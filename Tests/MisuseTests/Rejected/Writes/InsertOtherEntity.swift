// A table takes the values of its own entity.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.insert(Company(name: "Acme"), in: context)
        // expected-error: cannot convert value of type 'Company' to expected argument type 'User'
    }
}
