// The generated code names no other module, so an entity may be called as one of them.

import Skiathos

@Entity struct Foundation {
    @Unique var name = ""
}

func count(_ dal: DataAccessLayer) async throws -> Int {
    try await dal.read { try Foundation.count(in: $0) }
}
