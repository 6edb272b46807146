// Other writes wait for this one's end, so it must not wait for anything itself.

import Skiathos

func download() async -> String { "Ada" }

func misuse(_ dal: DataAccessLayer) async throws {
    try await dal.write { context in
        // expected-error: parameter expecting synchronous function type
        let name = await download()
        try User.create(in: context) { $0.name = name }
    }
}
