import Skiathos

/// A book on the shelf, or with the friend who has borrowed it.
@Entity package struct Book: Codable {
    package var title = ""
    package var author = ""
    package var borrower: Friend.ID?

    package var line: String { "\(id)  \(title), by \(author)" }
}
