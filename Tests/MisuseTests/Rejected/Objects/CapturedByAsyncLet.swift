// A child task would use the object on another thread, and a write cannot wait for it.

import Skiathos

func misuse(_ dal: DataAccessLayer) async throws {
    try await dal.write { context in
        // expected-error: parameter expecting synchronous function type
        let user = try User.create(in: context)
        async let name = user.name
        print(await name)
    }
}
