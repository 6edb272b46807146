// A task must not hold its thread until a connection is free.

import Skiathos

func misuse(_ dal: DataAccessLayer) {
    Task {
        try dal.read { print(try User.count(in: $0)) }
        // expected-error: Use `try await dal.read { … }`.
    }
}
