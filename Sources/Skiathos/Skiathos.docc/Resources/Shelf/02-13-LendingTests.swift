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
}
