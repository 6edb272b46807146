import Skiathos

/// Readers of a library as the first version of a program knows them.
struct OldReader: Sendable, Equatable {
    var id: EntityID<OldReader> = .unassigned
    var name = ""
    var age = ""
    var rank = "novice"
}

extension OldReader: Entity {
    struct Columns: Sendable {
        let name = Column<OldReader, String>(1, Coding.of(String.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        OldReader.self, table: "reader", id: Coding.of(OldReader.ID.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)),
            ColumnSchema("age", Coding.of(String.self)),
            ColumnSchema("rank", Coding.of(String.self)),
        ])

    static func column(at keyPath: PartialKeyPath<OldReader>) -> Int? {
        switch keyPath {
        case \OldReader.id: 0
        case \OldReader.name: 1
        case \OldReader.age: 2
        case \OldReader.rank: 3
        default: nil
        }
    }

    init(id: OldReader.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(OldReader.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
        age = try row.value(Coding.of(String.self), at: 2)
        rank = try row.value(Coding.of(String.self), at: 3)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(OldReader.ID.self), at: position)
        case 1: try parameters.bind(name, Coding.of(String.self), at: position)
        case 2: try parameters.bind(age, Coding.of(String.self), at: position)
        default: try parameters.bind(rank, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: OldReader) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: name != other.name)
        changed.insert(2, if: age != other.age)
        changed.insert(3, if: rank != other.rank)
        return changed
    }
}

/// The same readers as the second version knows them: a name of two parts, an age that is a
/// number, a rank that is one of a few, and a new column with a default.
struct NewReader: Sendable, Equatable {
    enum Rank: String, Sendable {
        case beginner, master
    }

    var id: EntityID<NewReader> = .unassigned
    var firstname = "?"
    var lastname = ""
    var age = 0
    var rank = Rank.beginner
    var visits = 7
}

extension NewReader: Entity {
    struct Columns: Sendable {
        let age = Column<NewReader, Int>(3, Coding.of(Int.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        NewReader.self, table: "reader", id: Coding.of(NewReader.ID.self),
        columns: [
            ColumnSchema("firstname", Coding.of(String.self)),
            ColumnSchema("lastname", Coding.of(String.self)),
            ColumnSchema("age", Coding.of(Int.self)),
            ColumnSchema("rank", Coding.of(Rank.self)),
            ColumnSchema("visits", Coding.of(Int.self)),
        ], searchable: ["lastname"])

    static func column(at keyPath: PartialKeyPath<NewReader>) -> Int? {
        switch keyPath {
        case \NewReader.id: 0
        case \NewReader.firstname: 1
        case \NewReader.lastname: 2
        case \NewReader.age: 3
        case \NewReader.rank: 4
        case \NewReader.visits: 5
        default: nil
        }
    }

    init(id: NewReader.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(NewReader.ID.self), at: 0)
        firstname = try row.value(Coding.of(String.self), at: 1)
        lastname = try row.value(Coding.of(String.self), at: 2)
        age = try row.value(Coding.of(Int.self), at: 3)
        rank = try row.value(Coding.of(Rank.self), at: 4)
        visits = try row.value(Coding.of(Int.self), at: 5)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(NewReader.ID.self), at: position)
        case 1: try parameters.bind(firstname, Coding.of(String.self), at: position)
        case 2: try parameters.bind(lastname, Coding.of(String.self), at: position)
        case 3: try parameters.bind(age, Coding.of(Int.self), at: position)
        case 4: try parameters.bind(rank, Coding.of(Rank.self), at: position)
        default: try parameters.bind(visits, Coding.of(Int.self), at: position)
        }
    }

    func changedColumns(from other: NewReader) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: firstname != other.firstname)
        changed.insert(2, if: lastname != other.lastname)
        changed.insert(3, if: age != other.age)
        changed.insert(4, if: rank != other.rank)
        changed.insert(5, if: visits != other.visits)
        return changed
    }
}
