import Foundation
import Skiathos

/// The entity of most programs: a column of each kind, some of which may have no value.
struct User: Sendable, Equatable {
    var id: EntityID<User> = .unassigned
    var name = ""
    var email: String?
    var age = 0
    var company: Company.ID?
    var isGuest = false
    var price: Decimal = 0
    var born: Date?

    var greeting: String { "Hello \(name)" }
}

extension User: Entity {
    struct Columns: Sendable {
        let id = Column<User, User.ID>(0, Coding.of(User.ID.self))
        let name = Column<User, String>(1, Coding.of(String.self))
        let email = Column<User, String?>(2, Coding.of(String?.self))
        let age = Column<User, Int>(3, Coding.of(Int.self))
        let company = Column<User, Company.ID?>(4, Coding.of(Company.ID?.self))
        let isGuest = Column<User, Bool>(5, Coding.of(Bool.self))
        let price = Column<User, Decimal>(6, Coding.of(Decimal.self))
        let born = Column<User, Date?>(7, Coding.of(Date?.self))
    }
    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }
    static let schema = EntitySchema(
        User.self, table: "user", id: Coding.of(User.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("email", Coding.of(String?.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("company", Coding.of(Company.ID?.self)),
            ColumnSchema("isGuest", Coding.of(Bool.self)),
            ColumnSchema("price", Coding.of(Decimal.self)),
            ColumnSchema("born", Coding.of(Date?.self)),
        ], unique: [["email"]])

    static func column(at keyPath: PartialKeyPath<User>) -> Int? {
        switch keyPath {
        case \User.id: 0
        case \User.name: 1
        case \User.email: 2
        case \User.age: 3
        case \User.company: 4
        case \User.isGuest: 5
        case \User.price: 6
        case \User.born: 7
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
        isGuest = try row.value(Coding.of(Bool.self), at: 5)
        price = try row.value(Coding.of(Decimal.self), at: 6)
        born = try row.value(Coding.of(Date?.self), at: 7)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(User.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        case 2: try parameters.bind(email, Coding.of(String?.self), at: position)
        case 3: try parameters.bind(age, Coding.of(Int.self), at: position)
        case 4: try parameters.bind(company, Coding.of(Company.ID?.self), at: position)
        case 5: try parameters.bind(isGuest, Coding.of(Bool.self), at: position)
        case 6: try parameters.bind(price, Coding.of(Decimal.self), at: position)
        default: try parameters.bind(born, Coding.of(Date?.self), at: position)
        }
    }

    func changedColumns(from other: User) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        changed.insert(2, if: !Coding.of(String?.self).areIdentical(email, other.email))
        changed.insert(3, if: !Coding.of(Int.self).areIdentical(age, other.age))
        changed.insert(4, if: !Coding.of(Company.ID?.self).areIdentical(company, other.company))
        changed.insert(5, if: !Coding.of(Bool.self).areIdentical(isGuest, other.isGuest))
        changed.insert(6, if: !Coding.of(Decimal.self).areIdentical(price, other.price))
        changed.insert(7, if: !Coding.of(Date?.self).areIdentical(born, other.born))
        return changed
    }
}
