// Opening with a computed list reads files too.

import Skiathos

func misuse(_ entities: [any Entity.Type]) async throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: entities)
    // expected-error: Use `try await DataAccessLayer.open(…)`, which blocks no thread.
}
