// A deprecated column is warned of where it is used, and not where the macro reads it.

import Skiathos

@Entity struct Person {
    @Unique var name = ""
    @available(*, deprecated, renamed: "name") var surname = ""
    @available(*, deprecated, message: "Nothing needs it.") @Indexed var rank: Int?
}

@available(*, deprecated) @Entity struct Card {
    var number = 0
}

func names(_ dal: DataAccessLayer) async throws -> [String] {
    try await dal.read { try Person.all(where: { $0.name > "A" }, in: $0).map(\.name) }
}
