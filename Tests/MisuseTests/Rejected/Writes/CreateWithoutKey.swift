// Keys that are texts are not generated, so create needs the ID.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.write { context in
        try Company.create(in: context)
        // expected-error: requires that 'Company.RawID' (aka 'String') conform to 'GeneratedKey'
    }
}
