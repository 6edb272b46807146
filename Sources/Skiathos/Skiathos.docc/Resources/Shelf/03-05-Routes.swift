import Hummingbird
import ShelfKit

extension Book: ResponseEncodable {}

/// The body of a request that adds a book.
struct NewBook: Decodable {
    let title: String
    let author: String
}

/// The routes of a shelf.
struct Routes {
    let shelf: Shelf

    func add(to router: Router<ShelfContext>) {
        let shelf = shelf
        router.get("books") { _, _ in try await shelf.books() }
        router.post("books") { request, context in
            let book = try await request.decode(as: NewBook.self, context: context)
            let added = try await shelf.add(book.title, by: book.author)
            return EditedResponse(status: .created, response: added)
        }
    }
}
