// In a list for the initialiser too, a plain struct has no table.

import Skiathos

struct Draft: Sendable {}

func misuse() throws -> DataAccessLayer {
    try DataAccessLayer(.inMemory, entities: [User.self, Draft.self])
    // expected-error: 'Draft.Type' to expected element type 'any Entity.Type'
}
