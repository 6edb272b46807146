// The initialiser takes entities only, like open.

import Skiathos

struct Draft: Sendable {}

func misuse() throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: Draft.self)
    // expected-error: argument type 'Draft' does not conform to expected type 'Entity'
}
