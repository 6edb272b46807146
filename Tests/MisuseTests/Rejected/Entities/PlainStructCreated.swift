// Only entities can be created in a write.

import Skiathos

struct Draft: Sendable {}

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try Draft.create(in: context)
        // expected-error: type 'Draft' has no member 'create'
    }
}
