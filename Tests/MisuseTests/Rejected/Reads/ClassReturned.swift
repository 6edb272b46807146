// What leaves a read may go to any thread, so an instance of a plain class cannot.

import Skiathos

final class Draft {
    let count: Int
    var name = ""
    init(_ count: Int) { self.count = count }
}

func misuse(_ dal: DataAccessLayer) throws {
    let draft: Draft = try dal.read { Draft(try User.count(in: $0)) }
    // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
    print(draft.count)
}
