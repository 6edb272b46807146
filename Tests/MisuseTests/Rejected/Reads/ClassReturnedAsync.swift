// What leaves an awaited read comes from another thread, so it must be Sendable.

import Skiathos

final class Draft {
    let count: Int
    var name = ""
    init(_ count: Int) { self.count = count }
}

func misuse(_ dal: DataAccessLayer) async throws {
    let draft: Draft = try await dal.read { Draft(try User.count(in: $0)) }
    // expected-error: type 'Draft' does not conform to the 'Sendable' protocol
    print(draft.count)
}
