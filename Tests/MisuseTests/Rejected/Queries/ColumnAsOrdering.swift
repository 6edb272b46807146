// In an array each sort key says whether small or large values come first.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try User.all(orderedBy: { [$0.age] }, in: context))
        // expected-error: 'Column<User, Int>' to expected element type 'Ordering<User>'
    }
}
