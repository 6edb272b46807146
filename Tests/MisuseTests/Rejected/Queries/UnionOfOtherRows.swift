// Selections are joined if their rows are of one type.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    let names = User.select { $0.name }
    let ages = User.select { $0.age }
    print(try dal.read { try names.union(ages).all(in: $0).count })
    // expected-error: cannot convert value of type 'Selection<User, Int>'
}
