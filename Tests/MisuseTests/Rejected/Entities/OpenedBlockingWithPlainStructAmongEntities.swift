// Among the entities of the initialiser too, a plain struct has no table.

import Skiathos

struct Draft: Sendable {}

func misuse() throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: User.self, Draft.self)
    // expected-error: argument type 'Draft' does not conform to expected type 'Entity'
}
