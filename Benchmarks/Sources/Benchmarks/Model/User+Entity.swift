import Skiathos

// By hand, as the macro would write it.
extension User: Entity {
    struct Columns: Sendable {
        let id = Column<User, User.ID>(0, Coding.of(User.ID.self))
        let firstname = Column<User, String>(1, Coding.of(String.self))
        let lastname = Column<User, String>(2, Coding.of(String.self))
        let email = Column<User, String>(3, Coding.of(String.self))
        let age = Column<User, Int>(4, Coding.of(Int.self))
        let score = Column<User, Double>(5, Coding.of(Double.self))
        let created = Column<User, Double>(6, Coding.of(Double.self))
        let isActive = Column<User, Bool>(7, Coding.of(Bool.self))
        let company = Column<User, Company.ID?>(8, Coding.of(Company.ID?.self))
    }
    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }
    static let schema = EntitySchema(
        User.self, table: "user", id: Coding.of(User.ID.self),
        columns: [
            ColumnSchema("firstname", Coding.of(String.self)),
            ColumnSchema("lastname", Coding.of(String.self)),
            ColumnSchema("email", Coding.of(String.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("score", Coding.of(Double.self)),
            ColumnSchema("created", Coding.of(Double.self)),
            ColumnSchema("isActive", Coding.of(Bool.self)),
            ColumnSchema("company", Coding.of(Company.ID?.self)),
        ], unique: [["email"]])

    static func column(at keyPath: PartialKeyPath<User>) -> Int? {
        switch keyPath {
        case \User.id: 0
        case \User.firstname: 1
        case \User.lastname: 2
        case \User.email: 3
        case \User.age: 4
        case \User.score: 5
        case \User.created: 6
        case \User.isActive: 7
        case \User.company: 8
        default: nil
        }
    }

    init(id: User.ID) { self.id = id }

    init(row: RowReader) throws {
        let value0 = try row.value(Coding.of(User.ID.self), at: 0)
        let value1 = try row.value(Coding.of(String.self), at: 1)
        let value2 = try row.value(Coding.of(String.self), at: 2)
        let value3 = try row.value(Coding.of(String.self), at: 3)
        let value4 = try row.value(Coding.of(Int.self), at: 4)
        let value5 = try row.value(Coding.of(Double.self), at: 5)
        let value6 = try row.value(Coding.of(Double.self), at: 6)
        let value7 = try row.value(Coding.of(Bool.self), at: 7)
        let value8 = try row.value(Coding.of(Company.ID?.self), at: 8)
        self.init(
            id: value0, firstname: value1, lastname: value2, email: value3, age: value4,
            score: value5, created: value6, isActive: value7, company: value8)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(User.ID.self), at: position)
        case 1: try parameters.bind(firstname, Coding.of(String.self), at: position)
        case 2: try parameters.bind(lastname, Coding.of(String.self), at: position)
        case 3: try parameters.bind(email, Coding.of(String.self), at: position)
        case 4: try parameters.bind(age, Coding.of(Int.self), at: position)
        case 5: try parameters.bind(score, Coding.of(Double.self), at: position)
        case 6: try parameters.bind(created, Coding.of(Double.self), at: position)
        case 7: try parameters.bind(isActive, Coding.of(Bool.self), at: position)
        default: try parameters.bind(company, Coding.of(Company.ID?.self), at: position)
        }
    }

    func changedColumns(from other: User) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(firstname, other.firstname))
        changed.insert(2, if: !Coding.of(String.self).areIdentical(lastname, other.lastname))
        changed.insert(3, if: !Coding.of(String.self).areIdentical(email, other.email))
        changed.insert(4, if: !Coding.of(Int.self).areIdentical(age, other.age))
        changed.insert(5, if: !Coding.of(Double.self).areIdentical(score, other.score))
        changed.insert(6, if: !Coding.of(Double.self).areIdentical(created, other.created))
        changed.insert(7, if: !Coding.of(Bool.self).areIdentical(isActive, other.isActive))
        changed.insert(8, if: !Coding.of(Company.ID?.self).areIdentical(company, other.company))
        return changed
    }
}
