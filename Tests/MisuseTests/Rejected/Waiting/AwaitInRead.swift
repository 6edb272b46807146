// A read holds a connection, so it must not wait for anything else.

import Skiathos

func report(_ count: Int) async {}

func misuse(_ dal: DataAccessLayer) async throws {
    try await dal.read { context in
        // expected-error: parameter expecting synchronous function type
        await report(try User.count(in: context))
    }
}
