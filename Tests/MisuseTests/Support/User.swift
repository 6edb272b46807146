import Skiathos

/// The entity of most programs: a text, a text that may be absent, a number, and a reference.
struct User: Sendable, Equatable {
    var id: EntityID<User> = .unassigned
    var name = ""
    var email: String?
    var age = 0
    var company: Company.ID?

    var greeting: String { "Hello \(name)" }
}

extension User: Entity {
    struct Columns: Sendable {
        let id = Column<User, User.ID>(0, Coding.of(User.ID.self))
        let name = Column<User, String>(1, Coding.of(String.self))
        let email = Column<User, String?>(2, Coding.of(String?.self))
        let age = Column<User, Int>(3, Coding.of(Int.self))
        let company = Column<User, Company.ID?>(4, Coding.of(Company.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        User.self, table: "user", id: Coding.of(User.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("email", Coding.of(String?.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("company", Coding.of(Company.ID?.self)),
        ], unique: [["email"]])

    static func column(at keyPath: PartialKeyPath<User>) -> Int? {
        switch keyPath {
        case \User.id: 0
        case \User.name: 1
        case \User.email: 2
        case \User.age: 3
        case \User.company: 4
        default: nil
        }
    }

    init(id: User.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(User.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
        email = try row.value(Coding.of(String?.self), at: 2)
        age = try row.value(Coding.of(Int.self), at: 3)
        company = try row.value(Coding.of(Company.ID?.self), at: 4)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(User.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        case 2: try parameters.bind(email, Coding.of(String?.self), at: position)
        case 3: try parameters.bind(age, Coding.of(Int.self), at: position)
        default: try parameters.bind(company, Coding.of(Company.ID?.self), at: position)
        }
    }

    func changedColumns(from other: User) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        changed.insert(2, if: !Coding.of(String?.self).areIdentical(email, other.email))
        changed.insert(3, if: !Coding.of(Int.self).areIdentical(age, other.age))
        changed.insert(4, if: !Coding.of(Company.ID?.self).areIdentical(company, other.company))
        return changed
    }
}
