// A task must not hold its thread until its turn to write has come.

import Skiathos

func misuse(_ dal: DataAccessLayer) {
    Task {
        try dal.write { try User.deleteAll(in: $0) }
        // expected-error: Use `try await dal.write { … }`.
    }
}
