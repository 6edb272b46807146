// Values are set at once: a write cannot wait for them.

import Skiathos

func download() async -> String { "Ada" }

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try User.create(in: context) { $0.name = await download() }
        // expected-error: parameter expecting synchronous function type
    }
}
