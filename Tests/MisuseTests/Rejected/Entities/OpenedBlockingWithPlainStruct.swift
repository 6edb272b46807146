// The initialiser takes entities only, like open.

import Skiathos

struct Draft: Sendable {}

func misuse() throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: Draft.self)
    // expected-error: this type is not an Entity: mark it @Entity.
}
