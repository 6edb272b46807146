// A read has nothing to undo, so it has no nested scopes.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try context.nested { _ in }
        // expected-error: value of type 'ReadContext' has no member 'nested'
    }
}
