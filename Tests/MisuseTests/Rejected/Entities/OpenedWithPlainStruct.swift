// A store holds entities; a plain struct has no table.

import Skiathos

struct Draft: Sendable {}

func misuse() async throws -> DataAccessLayer {
    try await DataAccessLayer.open(.inMemory, entities: Draft.self)
    // expected-error: this type is not an Entity: mark it @Entity.
}
