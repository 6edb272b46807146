/// What a shelf refuses, and why.
package enum ShelfError: String, Error {
    case friendExists = "There is a friend of this name already."
    case noSuchFriend = "There is no friend of this name."
    case noSuchBook = "There is no such book."
    case isLent = "The book is lent already."
}
