// A function that writes cannot be given the context of a read.

import Skiathos

func rename(in context: WriteContext) throws {
    try User.find(1, in: context)?.name = "Ada"
}

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        try rename(in: context)
        // expected-error: 'ReadContext' to expected argument type 'WriteContext'
    }
}
