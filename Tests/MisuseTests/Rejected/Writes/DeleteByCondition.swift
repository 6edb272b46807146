// Rows are deleted by deleteAll.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        _ = try User.delete(where: { $0.age > 99 }, in: context)
        // expected-error: 'delete(where:in:)' has been renamed to 'deleteAll(where:in:)'
    }
}
