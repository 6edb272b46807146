// A text that is not a literal is made an ID first.

import Skiathos

func misuse(_ dal: DataAccessLayer) throws {
    try dal.read { context in
        print(try Company.find(String(5), in: context) as Any)
        // expected-error: a text is no ID. Write 'Country.ID(text)', or keep the ID itself.
    }
}
