import ShelfKit
import Skiathos

@main struct Program {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let shelf = try await Shelf.open("shelf.sqlite")
        do {
            try await run(words, on: shelf)
        } catch let error as ShelfError {
            print(error.rawValue)
        }
        try await shelf.close()
    }

    private static func run(_ words: [String], on shelf: Shelf) async throws {
        switch (words.first, words.count) {
        case ("add", 3):
            print(try await shelf.add(words[1], by: words[2]).line)
        case ("list", 1):
            for book in try await shelf.books() { print(book.line) }
        case ("friend", 2):
            try await shelf.addFriend(words[1])
        case ("lend", 3):
            print(try await shelf.lend(try id(words[1]), to: words[2]).line)
        case ("return", 2):
            print(try await shelf.takeBack(try id(words[1])).line)
        case ("lent", 1):
            for (friend, books) in try await shelf.loans() {
                print("\(friend.name): \(books.map(\.title).joined(separator: ", "))")
            }
        default:
            print("shelf add TITLE AUTHOR | list | friend NAME | lend ID NAME | return ID | lent")
        }
    }

    private static func id(_ word: String) throws -> Book.ID {
        guard let number = Int64(word) else { throw ShelfError.noSuchBook }
        return Book.ID(rawValue: number)
    }
}
