// Among entities too, a plain struct has no table.

import Skiathos

struct Draft: Sendable {}

func misuse() async throws -> DataAccessLayer {
    try await DataAccessLayer.open(.inMemory, entities: User.self, Draft.self)
    // expected-error: argument type 'Draft' does not conform to expected type 'Entity'
}
