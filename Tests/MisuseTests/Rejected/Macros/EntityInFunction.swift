// The conformance of an entity stands in an extension, which a local type cannot have.

import Skiathos

func misuse() {
    @Entity struct Book {
        // expected-error: local type cannot have attached extension macro
        // expected-error: type 'Book' does not conform to protocol 'Entity'
        var title = ""
    }
    print(Book())
}
