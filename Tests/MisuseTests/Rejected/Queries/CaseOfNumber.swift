// A number has neither upper nor lower case.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.count(where: { $0.age.caseInsensitive == "1" }, in: context))
        // expected-error: only texts have upper and lower case
    }
}
