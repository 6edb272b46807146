import Skiathos

/// The books of one household.
package struct Shelf: Sendable {
    package let dal: DataAccessLayer

    package init(_ dal: DataAccessLayer) { self.dal = dal }

    /// Opens the shelf in a file, or makes a new one.
    package static func open(_ path: String) async throws -> Shelf {
        Shelf(try await DataAccessLayer.open(.sqlite(path), entities: Book.self))
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
}
