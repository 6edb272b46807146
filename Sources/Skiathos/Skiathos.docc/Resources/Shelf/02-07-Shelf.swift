import Skiathos

/// The books of one household, and the friends who borrow them.
package struct Shelf: Sendable {
    package let dal: DataAccessLayer

    package init(_ dal: DataAccessLayer) { self.dal = dal }

    /// Opens the shelf in a file, or makes a new one.
    package static func open(_ path: String) async throws -> Shelf {
        Shelf(
            try await DataAccessLayer.open(
                .sqlite(path), entities: Book.self, Friend.self))
    }

    package func close() async throws { try await dal.close() }

    package func add(_ title: String, by author: String) async throws -> Book {
        try await dal.write { context in
            let book = try Book.create(in: context) {
                $0.title = title
                $0.author = author
            }
            return book.value
        }
    }

    package func books() async throws -> [Book] {
        try await dal.read { context in
            try Book.all(orderedBy: { [$0.author.ascending, $0.title.ascending] }, in: context)
        }
    }

    package func addFriend(_ name: String) async throws {
        do {
            try await dal.write { try Friend.create(in: $0) { $0.name = name } }
        } catch let error as StoreError where error.code == .uniqueViolation {
            throw ShelfError.friendExists
        }
    }

    package func lend(_ id: Book.ID, to name: String) async throws -> Book {
        try await dal.write { context in
            guard let friend = try Friend.first(where: { $0.name == name }, in: context) else {
                throw ShelfError.noSuchFriend
            }
            guard let book = try Book.find(id, in: context) else { throw ShelfError.noSuchBook }
            guard book.borrower == nil else { throw ShelfError.isLent }
            book.borrower = friend.id
            return book.value
        }
    }

    package func takeBack(_ id: Book.ID) async throws -> Book {
        try await dal.write { context in
            guard let book = try Book.find(id, in: context) else { throw ShelfError.noSuchBook }
            book.borrower = nil
            return book.value
        }
    }
}
