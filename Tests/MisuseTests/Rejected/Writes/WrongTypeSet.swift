// A property of an object keeps the type that the entity declares.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.find(1, in: context)?.age = "old"
        // expected-error: cannot assign value of type 'String' to type 'Int'
    }
}
