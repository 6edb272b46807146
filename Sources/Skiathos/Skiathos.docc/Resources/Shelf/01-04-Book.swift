import Skiathos

/// A book on the shelf.
@Entity package struct Book {
    package var title = ""
    package var author = ""

    package var line: String { "\(id)  \(title), by \(author)" }
}
