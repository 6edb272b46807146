import Skiathos

/// An author with a unique name, and an address that is stored as JSON.
struct Author: Sendable, Equatable {
    struct Address: Sendable, Equatable, Codable {
        var city = ""
        var lines: [String] = []
    }

    var id: EntityID<Author> = .unassigned
    var name = ""
    var age = 0
    var email: String?
    var address = Address()
}

extension Author: Entity {
    struct Columns: Sendable {
        let id = Column<Author, Author.ID>(0, Coding.of(Author.ID.self))
        let name = Column<Author, String>(1, Coding.of(String.self))
        let age = Column<Author, Int>(2, Coding.of(Int.self))
        let email = Column<Author, String?>(3, Coding.of(String?.self))
        let address = Column<Author, Address>(4, Coding.of(Address.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Author.self, table: "author", id: Coding.of(Author.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("email", Coding.of(String?.self)),
            ColumnSchema("address", Coding.of(Address.self)),
        ], unique: [["email"]])

    static func column(at keyPath: PartialKeyPath<Author>) -> Int? {
        switch keyPath {
        case \Author.id: 0
        case \Author.name: 1
        case \Author.age: 2
        case \Author.email: 3
        case \Author.address: 4
        default: nil
        }
    }

    init(id: Author.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Author.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
        age = try row.value(Coding.of(Int.self), at: 2)
        email = try row.value(Coding.of(String?.self), at: 3)
        address = try row.value(Coding.of(Address.self), at: 4)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Author.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        case 2: try parameters.bind(age, Coding.of(Int.self), at: position)
        case 3: try parameters.bind(email, Coding.of(String?.self), at: position)
        default: try parameters.bind(address, Coding.of(Address.self), at: position)
        }
    }

    func changedColumns(from other: Author) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        changed.insert(2, if: !Coding.of(Int.self).areIdentical(age, other.age))
        changed.insert(3, if: !Coding.of(String?.self).areIdentical(email, other.email))
        changed.insert(4, if: !Coding.of(Address.self).areIdentical(address, other.address))
        return changed
    }
}
