// A column is compared with a value; two columns cannot be compared.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.name == $0.email }, in: context))
        // expected-error: 'Column<User, String?>' to expected argument type 'String'
    }
}
