import Skiathos

/// A user with a unique email, an indexed age, and a company that is nullified when it goes.
///
/// Conformed by hand, as the macro does.
struct User: Sendable, Equatable {
    enum Role: String, Sendable {
        case guest, member, owner
    }

    var id: EntityID<User> = .unassigned
    var firstname = ""
    var lastname = ""
    var email: String?
    var age = 0
    var score = 0.0
    var role = Role.guest
    var company: Company.ID?

    var fullName: String { "\(firstname) \(lastname)" }
}

extension User: Entity {
    struct Columns: Sendable {
        let id = Column<User, User.ID>(0, Coding.of(User.ID.self))
        let firstname = Column<User, String>(1, Coding.of(String.self))
        let lastname = Column<User, String>(2, Coding.of(String.self))
        let email = Column<User, String?>(3, Coding.of(String?.self))
        let age = Column<User, Int>(4, Coding.of(Int.self))
        let score = Column<User, Double>(5, Coding.of(Double.self))
        let role = Column<User, Role>(6, Coding.of(Role.self))
        let company = Column<User, Company.ID?>(7, Coding.of(Company.ID?.self))
    }
    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }
    static let schema = EntitySchema(
        User.self, table: "user", id: Coding.of(User.ID.self),
        columns: [
            ColumnSchema("firstname", Coding.of(String.self)),
            ColumnSchema("lastname", Coding.of(String.self)),
            ColumnSchema("email", Coding.of(String?.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("score", Coding.of(Double.self)),
            ColumnSchema("role", Coding.of(Role.self)),
            ColumnSchema("company", Coding.of(Company.ID?.self)),
        ], unique: [["email"], ["firstname", "lastname", "age"]], indexed: ["age"])

    static func column(at keyPath: PartialKeyPath<User>) -> Int? {
        switch keyPath {
        case \User.id: 0
        case \User.firstname: 1
        case \User.lastname: 2
        case \User.email: 3
        case \User.age: 4
        case \User.score: 5
        case \User.role: 6
        case \User.company: 7
        default: nil
        }
    }

    init(id: User.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(User.ID.self), at: 0)
        firstname = try row.value(Coding.of(String.self), at: 1)
        lastname = try row.value(Coding.of(String.self), at: 2)
        email = try row.value(Coding.of(String?.self), at: 3)
        age = try row.value(Coding.of(Int.self), at: 4)
        score = try row.value(Coding.of(Double.self), at: 5)
        role = try row.value(Coding.of(Role.self), at: 6)
        company = try row.value(Coding.of(Company.ID?.self), at: 7)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(User.ID.self), at: position)
        case 1: try parameters.bind(firstname, Coding.of(String.self), at: position)
        case 2: try parameters.bind(lastname, Coding.of(String.self), at: position)
        case 3: try parameters.bind(email, Coding.of(String?.self), at: position)
        case 4: try parameters.bind(age, Coding.of(Int.self), at: position)
        case 5: try parameters.bind(score, Coding.of(Double.self), at: position)
        case 6: try parameters.bind(role, Coding.of(Role.self), at: position)
        default: try parameters.bind(company, Coding.of(Company.ID?.self), at: position)
        }
    }

    func changedColumns(from other: User) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(firstname, other.firstname))
        changed.insert(2, if: !Coding.of(String.self).areIdentical(lastname, other.lastname))
        changed.insert(3, if: !Coding.of(String?.self).areIdentical(email, other.email))
        changed.insert(4, if: !Coding.of(Int.self).areIdentical(age, other.age))
        changed.insert(5, if: !Coding.of(Double.self).areIdentical(score, other.score))
        changed.insert(6, if: !Coding.of(Role.self).areIdentical(role, other.role))
        changed.insert(7, if: !Coding.of(Company.ID?.self).areIdentical(company, other.company))
        return changed
    }
}
