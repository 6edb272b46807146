// A write that blocks must not wait for a task, which may need the same thread.

import Skiathos

func download() async -> String { "Ada" }

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        // expected-error: parameter expecting synchronous function type
        let name = await download()
        try User.create(in: context) { $0.name = name }
    }
}
