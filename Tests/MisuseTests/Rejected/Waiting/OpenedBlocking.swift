// Opening reads files, and must not hold a thread that other tasks need.

import Skiathos

func misuse() async throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: User.self)
    // expected-error: Use `try await DataAccessLayer.open(…)`, which blocks no thread.
}
