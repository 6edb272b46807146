import Skiathos

/// A friend who borrows books.
@Entity package struct Friend {
    @Unique package var name = ""

    package var books: ToMany<Book> {
        ToMany(\.borrower, of: id).order { $0.title.ascending }
    }
}
