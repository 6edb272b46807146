// Keys that are texts are not generated, so create needs the ID.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try Company.create(in: context)
        // expected-error: keys of this entity are not generated. Choose one with 'create(id:in:)'
    }
}
