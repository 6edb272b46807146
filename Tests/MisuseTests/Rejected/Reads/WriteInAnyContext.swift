// A function for both kinds of context can only query, since it may be given a read's.

import Skiathos

func misuse(in context: some QueryContext) throws {
    try User.create(in: context)
    // expected-error: 'some QueryContext' to expected argument type 'WriteContext'
}
