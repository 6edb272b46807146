import ShelfKit
import Skiathos
import SkiathosTesting
import Testing

struct LendingTests {
    @Test func aLentBookIsNotLentAgain() async throws {
        try await withStore(.inMemory, entities: Book.self, Friend.self) { dal in
            let shelf = Shelf(dal)
            let emma = try await shelf.add("Emma", by: "Jane Austen")
            try await shelf.addFriend("Ada")
            _ = try await shelf.lend(emma.id, to: "Ada")
            await #expect(throws: ShelfError.isLent) {
                try await shelf.lend(emma.id, to: "Ada")
            }
        }
    }

    @Test func aSecondRunFindsTheBooks() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("shelf.sqlite")
        let first = try await Shelf.open(path)
        _ = try await first.add("Emma", by: "Jane Austen")
        try await first.close()

        let second = try await Shelf.open(path)
        #expect(try await second.books().map(\.title) == ["Emma"])
        try await second.close()
        withExtendedLifetime(directory) {}
    }
}
