import ShelfKit

@main struct Program {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        let shelf = try await Shelf.open("shelf.sqlite")
        switch (words.first, words.count) {
        case ("add", 3):
            print(try await shelf.add(words[1], by: words[2]).line)
        case ("list", 1):
            for book in try await shelf.books() { print(book.line) }
        default:
            print("shelf add TITLE AUTHOR | list")
        }
        try await shelf.close()
    }
}
