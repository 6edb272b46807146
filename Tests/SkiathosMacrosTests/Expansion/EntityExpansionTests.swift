#if Macros
import Testing

@Suite struct EntityExpansionTests {
    @Test func `an entity expands to its ID and its conformance`() {
        expectExpansion(
            of: #"""
                @Entity
                struct User {
                    @Unique var email: String?
                    @Indexed var age = 0
                    @Unique(with: "age") private var `class` = "a"
                    @References(onDelete: .cascade) var boss: Self.ID?
                    var isOn = true { didSet { print(isOn) } }
                    @Transient var cache: [String] = []
                    var name: String { "a" }
                }
                """#,
            to: #"""
                struct User {
                    var email: String?
                    var age = 0
                    private var `class` = "a"
                    var boss: Self.ID?
                    var isOn = true { didSet { print(isOn) } }
                    var cache: [String] = []
                    var name: String { "a" }

                    var id: Skiathos.EntityID<User> = .unassigned
                }

                extension User: nonisolated Skiathos.Entity {
                    #if swift(<6)
                    #error("@Entity expects the Swift 6 language mode, in which the compiler keeps objects in their writes; found an older one. Set the language mode of the target to 6.")
                    #endif

                    typealias ID = Skiathos.EntityID<User>

                    nonisolated struct Columns: Swift.Sendable {
                        let id = Skiathos.Column<User, Skiathos.EntityID<User>>(0, Skiathos.Coding.of(Skiathos.EntityID<User>.self))
                        let email = Skiathos.Column<User, String?>(1, Skiathos.Coding.of(String?.self))
                        let age = Skiathos.Column<User, Swift.Int>(2, Skiathos.Coding.of(Swift.Int.self))
                        fileprivate let `class` = Skiathos.Column<User, Swift.String>(3, Skiathos.Coding.of(Swift.String.self))
                        let boss = Skiathos.Column<User, User.ID?>(4, Skiathos.Coding.of(User.ID?.self))
                        let isOn = Skiathos.Column<User, Swift.Bool>(5, Skiathos.Coding.of(Swift.Bool.self))
                    }

                    nonisolated static let columns = Columns()

                    nonisolated static func makeColumns() -> Columns {
                        .init()
                    }

                    nonisolated static let schema = Skiathos.EntitySchema(
                        User.self,
                        table: "user",
                        id: Skiathos.Coding.of(Skiathos.EntityID<User>.self),
                        columns: [
                            Skiathos.ColumnSchema("email", Skiathos.Coding.of(String?.self)),
                            Skiathos.ColumnSchema("age", Skiathos.Coding.of(Swift.Int.self)),
                            Skiathos.ColumnSchema("class", Skiathos.Coding.of(Swift.String.self)),
                            Skiathos.ColumnSchema("boss", Skiathos.Coding.of(User.ID?.self), onDelete: .cascade),
                            Skiathos.ColumnSchema("isOn", Skiathos.Coding.of(Swift.Bool.self))
                        ],
                        unique: [["email"], ["class", "age"]],
                        indexed: ["age"])

                    nonisolated static func column(at keyPath: Swift.PartialKeyPath<User>) -> Swift.Int? {
                        switch keyPath {
                        case \User.id:
                            0
                        case \User.email:
                            1
                        case \User.age:
                            2
                        case \User.`class`:
                            3
                        case \User.boss:
                            4
                        case \User.isOn:
                            5
                        default:
                            nil
                        }
                    }

                    nonisolated init(id: Skiathos.EntityID<User>) {
                        self.init()
                        self.id = id
                    }

                    nonisolated init(row: Skiathos.RowReader) throws {
                        self.id = try row.value(Skiathos.Coding.of(Skiathos.EntityID<User>.self), at: 0)
                        self.email = try row.value(Skiathos.Coding.of(String?.self), at: 1)
                        self.age = try row.value(Skiathos.Coding.of(Swift.Int.self), at: 2)
                        self.`class` = try row.value(Skiathos.Coding.of(Swift.String.self), at: 3)
                        self.boss = try row.value(Skiathos.Coding.of(User.ID?.self), at: 4)
                        self.isOn = try row.value(Skiathos.Coding.of(Swift.Bool.self), at: 5)
                    }

                    nonisolated func bind(
                        _ column: Swift.Int, to parameters: Skiathos.ParameterWriter, at position: Swift.Int
                    ) throws {
                        switch column {
                        case 0:
                            try parameters.bind(self.id, Skiathos.Coding.of(Skiathos.EntityID<User>.self), at: position)
                        case 1:
                            try parameters.bind(self.email, Skiathos.Coding.of(String?.self), at: position)
                        case 2:
                            try parameters.bind(self.age, Skiathos.Coding.of(Swift.Int.self), at: position)
                        case 3:
                            try parameters.bind(self.`class`, Skiathos.Coding.of(Swift.String.self), at: position)
                        case 4:
                            try parameters.bind(self.boss, Skiathos.Coding.of(User.ID?.self), at: position)
                        default:
                            try parameters.bind(self.isOn, Skiathos.Coding.of(Swift.Bool.self), at: position)
                        }
                    }

                    nonisolated func changedColumns(from other: User) -> Skiathos.ColumnSet {
                        var changed = Skiathos.ColumnSet()
                        changed.insert(1, if: !Skiathos.Coding.of(String?.self).areIdentical(self.email, other.email))
                        changed.insert(2, if: !Skiathos.Coding.of(Swift.Int.self).areIdentical(self.age, other.age))
                        changed.insert(3, if: !Skiathos.Coding.of(Swift.String.self).areIdentical(self.`class`, other.`class`))
                        changed.insert(4, if: !Skiathos.Coding.of(User.ID?.self).areIdentical(self.boss, other.boss))
                        changed.insert(5, if: !Skiathos.Coding.of(Swift.Bool.self).areIdentical(self.isOn, other.isOn))
                        return changed
                    }
                }
                """#)
    }

    @Test func `an entity inside another type names the types of its columns in its own body`() {
        expectExpansion(
            of: #"""
                enum Zoo {
                    @Entity(table: "pets", id: UUID.self)
                    public struct Pet {
                        public var kind: Kind = .cat
                        var mother: Self.ID?
                        init(kind: Kind) { self.kind = kind }
                    }
                }
                """#,
            to: #"""
                enum Zoo {
                    public struct Pet {
                        public var kind: Kind = .cat
                        var mother: Self.ID?
                        init(kind: Kind) { self.kind = kind }

                        public var id: Skiathos.EntityID<Pet> = .unassigned

                        nonisolated init() {
                        }

                        public enum ColumnTypes {
                            public typealias kind = Kind
                            typealias mother = Pet.ID?
                        }
                    }
                }

                extension Zoo.Pet: nonisolated Skiathos.Entity {
                    #if swift(<6)
                    #error("@Entity expects the Swift 6 language mode, in which the compiler keeps objects in their writes; found an older one. Set the language mode of the target to 6.")
                    #endif

                    public typealias RawID = UUID

                    public typealias ID = Skiathos.EntityID<Zoo.Pet>

                    public nonisolated struct Columns: Swift.Sendable {
                        public let id = Skiathos.Column<Zoo.Pet, Skiathos.EntityID<Zoo.Pet>>(0, Skiathos.Coding.of(Skiathos.EntityID<Zoo.Pet>.self))
                        public let kind = Skiathos.Column<Zoo.Pet, ColumnTypes.kind>(1, Skiathos.Coding.of(ColumnTypes.kind.self))
                        let mother = Skiathos.Column<Zoo.Pet, ColumnTypes.mother>(2, Skiathos.Coding.of(ColumnTypes.mother.self))
                    }

                    public nonisolated static let columns = Columns()

                    public nonisolated static func makeColumns() -> Columns {
                        .init()
                    }

                    public nonisolated static let schema = Skiathos.EntitySchema(
                        Zoo.Pet.self,
                        table: "pets",
                        id: Skiathos.Coding.of(Skiathos.EntityID<Zoo.Pet>.self),
                        columns: [
                            Skiathos.ColumnSchema("kind", Skiathos.Coding.of(ColumnTypes.kind.self)),
                            Skiathos.ColumnSchema("mother", Skiathos.Coding.of(ColumnTypes.mother.self))
                        ])

                    public nonisolated static func column(at keyPath: Swift.PartialKeyPath<Zoo.Pet>) -> Swift.Int? {
                        switch keyPath {
                        case \Zoo.Pet.id:
                            0
                        case \Zoo.Pet.kind:
                            1
                        case \Zoo.Pet.mother:
                            2
                        default:
                            nil
                        }
                    }

                    public nonisolated init(id: Skiathos.EntityID<Zoo.Pet>) {
                        self.init()
                        self.id = id
                    }

                    public nonisolated init(row: Skiathos.RowReader) throws {
                        self.id = try row.value(Skiathos.Coding.of(Skiathos.EntityID<Zoo.Pet>.self), at: 0)
                        self.kind = try row.value(Skiathos.Coding.of(ColumnTypes.kind.self), at: 1)
                        self.mother = try row.value(Skiathos.Coding.of(ColumnTypes.mother.self), at: 2)
                    }

                    public nonisolated func bind(
                        _ column: Swift.Int, to parameters: Skiathos.ParameterWriter, at position: Swift.Int
                    ) throws {
                        switch column {
                        case 0:
                            try parameters.bind(self.id, Skiathos.Coding.of(Skiathos.EntityID<Zoo.Pet>.self), at: position)
                        case 1:
                            try parameters.bind(self.kind, Skiathos.Coding.of(ColumnTypes.kind.self), at: position)
                        default:
                            try parameters.bind(self.mother, Skiathos.Coding.of(ColumnTypes.mother.self), at: position)
                        }
                    }

                    public nonisolated func changedColumns(from other: Zoo.Pet) -> Skiathos.ColumnSet {
                        var changed = Skiathos.ColumnSet()
                        changed.insert(1, if: !Skiathos.Coding.of(ColumnTypes.kind.self).areIdentical(self.kind, other.kind))
                        changed.insert(2, if: !Skiathos.Coding.of(ColumnTypes.mother.self).areIdentical(self.mother, other.mother))
                        return changed
                    }
                }
                """#)
    }

    @Test func `an entity without columns expands to code without warnings`() {
        expectExpansion(
            of: #"""
                @Entity
                struct Tag {
                }
                """#,
            to: #"""
                struct Tag {

                    var id: Skiathos.EntityID<Tag> = .unassigned

                    nonisolated init() {
                    }
                }

                extension Tag: nonisolated Skiathos.Entity {
                    #if swift(<6)
                    #error("@Entity expects the Swift 6 language mode, in which the compiler keeps objects in their writes; found an older one. Set the language mode of the target to 6.")
                    #endif

                    typealias ID = Skiathos.EntityID<Tag>

                    nonisolated struct Columns: Swift.Sendable {
                        let id = Skiathos.Column<Tag, Skiathos.EntityID<Tag>>(0, Skiathos.Coding.of(Skiathos.EntityID<Tag>.self))
                    }

                    nonisolated static let columns = Columns()

                    nonisolated static func makeColumns() -> Columns {
                        .init()
                    }

                    nonisolated static let schema = Skiathos.EntitySchema(
                        Tag.self,
                        table: "tag",
                        id: Skiathos.Coding.of(Skiathos.EntityID<Tag>.self),
                        columns: [])

                    nonisolated static func column(at keyPath: Swift.PartialKeyPath<Tag>) -> Swift.Int? {
                        switch keyPath {
                        case \Tag.id:
                            0
                        default:
                            nil
                        }
                    }

                    nonisolated init(id: Skiathos.EntityID<Tag>) {
                        self.init()
                        self.id = id
                    }

                    nonisolated init(row: Skiathos.RowReader) throws {
                        self.id = try row.value(Skiathos.Coding.of(Skiathos.EntityID<Tag>.self), at: 0)
                    }

                    nonisolated func bind(
                        _ column: Swift.Int, to parameters: Skiathos.ParameterWriter, at position: Swift.Int
                    ) throws {
                        try parameters.bind(self.id, Skiathos.Coding.of(Skiathos.EntityID<Tag>.self), at: position)
                    }

                    nonisolated func changedColumns(from other: Tag) -> Skiathos.ColumnSet {
                        Skiathos.ColumnSet()
                    }
                }
                """#)
    }
}
#endif
