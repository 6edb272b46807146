// A product of different types has no type of its own.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.select { $0.price * $0.age.asDouble }.all(in: context))
        // expected-error: both sides need the same type. Write '.asDecimal' or '.asDouble' after an integer
    }
}
