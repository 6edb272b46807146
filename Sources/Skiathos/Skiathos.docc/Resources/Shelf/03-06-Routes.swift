import Hummingbird
import ShelfKit
import Skiathos

extension Book: ResponseEncodable {}

/// The body of a request that adds a book.
struct NewBook: Decodable {
    let title: String
    let author: String
}

/// The body of a request that lends a book.
struct NewLoan: Decodable {
    let friend: String
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
        router.post("books/:id/loan") { request, context in
            let loan = try await request.decode(as: NewLoan.self, context: context)
            return try await shelf.lend(try Self.book(context), to: loan.friend)
        }
        router.delete("books/:id/loan") { _, context in
            try await shelf.takeBack(try Self.book(context))
        }
    }

    private static func book(_ context: ShelfContext) throws -> Book.ID {
        Book.ID(rawValue: try context.parameters.require("id", as: Int64.self))
    }
}
