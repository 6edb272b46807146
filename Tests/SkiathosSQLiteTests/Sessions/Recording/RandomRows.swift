import ReliabilityKit
import SkiathosStore
import TestSupport

/// Random rows, requests and statements for the entities of the tests.
///
/// There are so few IDs and unique values that rows are often in the way of each other.
struct RandomRows {
    var random: SeededNumbers
    private let company: Int
    private let user: Int
    private let invoice: Int
    private let badge: Int
    private let tag: Int

    init(_ store: any PersistentStore, _ random: SeededNumbers) {
        self.random = random
        company = store.position(Company.self)
        user = store.position(User.self)
        invoice = store.position(Invoice.self)
        badge = store.position(Badge.self)
        tag = store.position(Tag.self)
    }

    private mutating func id() -> Int64 { Int64(1 + random.below(6)) }

    private mutating func letter() -> String {
        ["a", "b", "c", "ä", "e", "f", "g"][random.below(7)]
    }

    private mutating func entity() -> Int {
        [company, user, user, invoice, badge, tag][random.below(6)]
    }

    private mutating func key(_ entity: Int) -> StoreValue {
        entity == tag ? .text(letter()) : .integer(id())
    }

    /// A step of a unit of work with a few rows, or many.
    mutating func change() -> StoreChange {
        let entity = entity()
        let count = random.happens(20) ? 20 : 1 + random.below(3)
        switch random.below(4) {
        case 0, 1:
            var rows: [StoreValue: [StoreValue]] = [:]
            for _ in 0..<count {
                let row = row(entity)
                rows[row[0]] = row
            }
            return .insert(entity: entity, source(rows.sorted { "\($0)" < "\($1)" }.map(\.value)))
        case 2:
            let columns = row(entity).indices.dropFirst().filter { _ in random.happens(50) }
            let rows = keys(entity, count).map { key in
                let values = row(entity)
                return columns.map { values[$0] } + [key]
            }
            return .update(
                entity: entity, columns: ColumnSet(columns), source(rows, idIsLast: true))
        default: return .delete(entity: entity, source(keys(entity, count).map { [$0] }))
        }
    }

    /// IDs without repetition.
    private mutating func keys(_ entity: Int, _ count: Int) -> [StoreValue] {
        Set((0..<count).map { _ in key(entity) }).sorted { "\($0)" < "\($1)" }
    }

    private mutating func source(_ rows: [[StoreValue]], idIsLast: Bool = false) -> any RowSource {
        random.happens(50)
            ? LendableRows(rows, idIsLast: idIsLast) : Rows(rows, idIsLast: idIsLast)
    }

    private mutating func row(_ entity: Int) -> [StoreValue] {
        let key = random.happens(30) ? StoreValue.integer(Int64(random.below(1000))) : key(entity)
        switch entity {
        case company: return [key, .text(letter())]
        case user:
            return [
                key, .text(letter()), random.happens(50) ? .null : .text(letter()),
                .integer(id()), random.happens(50) ? .null : .real(Double(random.below(5)) / 2),
                random.happens(50) ? .null : .blob([0, UInt8(random.below(256))]),
                random.happens(50) ? .null : .text("1.50"),
                random.happens(50) ? .null : .integer(id()),
            ]
        case invoice: return [key, .integer(id()), .integer(id())]
        case badge:
            return [
                key, .integer(id()), .blob([UInt8(random.below(256))]), .real(Double(id()) / 4),
            ]
        default:
            return [
                .text(letter() + letter()), random.happens(50) ? .null : .text(letter()),
            ]
        }
    }

    /// A request for some rows of an entity, or for all.
    mutating func request() -> FetchRequest {
        let entity = entity()
        let key = key(entity)
        let some = StorePredicate.comparison(.column(0), .less, .value(key))
        return FetchRequest(entity: entity, predicate: random.happens(70) ? some : nil)
    }

    /// A change of all rows of a request, if the entity has a column for it.
    mutating func assignment(_ entity: Int) -> StoreAssignment? {
        switch entity {
        case user: StoreAssignment(column: UserColumn.age, .add(.integer(id())))
        case invoice: StoreAssignment(column: 1, .add(.integer(1)))
        case company: StoreAssignment(column: 1, .set(.value(.text(letter()))))
        case tag: StoreAssignment(column: 1, .set(.value(.null)))
        default: nil
        }
    }

    /// A statement of raw SQL.
    mutating func statement() -> String {
        let tags = #""odd ""tag"", really""#
        let order = #""the ""order"".x""#
        let (id, other, letter) = (id(), self.id(), letter())
        let rule = ["", "OR REPLACE", "OR IGNORE", "OR FAIL", "OR ABORT"][random.below(5)]
        let statements = [
            "INSERT \(rule) INTO company VALUES (\(id), '\(letter)'), (\(other) + 3, 'x')",
            """
            INSERT INTO company VALUES (\(id), '\(letter)'), (\(other), 'y')
            ON CONFLICT (id) DO UPDATE SET name = excluded.name || name
            """,
            "INSERT INTO company VALUES (\(id), 'z') ON CONFLICT DO NOTHING",
            """
            INSERT \(rule) INTO user (firstname, email, age, id, company)
            SELECT name, name, 1, id + \(id), \(other) FROM company
            """,
            """
            INSERT INTO user (id, firstname, email, age) VALUES (\(id), 'n', '\(letter)', 2)
            ON CONFLICT (email) DO UPDATE SET age = age + 1, id = excluded.id + 10
            """,
            "UPDATE \(rule) company SET id = id + \(id), name = '\(letter)' WHERE id > \(other)",
            "UPDATE \(rule) user SET id = \(id), email = '\(letter)' WHERE id % \(other) = 0",
            "UPDATE user SET score = c.id, company = c.id FROM company AS c WHERE c.id = user.age",
            "UPDATE \(rule) badge SET rank = rank + 0.25, owner = \(id)",
            "UPDATE \(rule) \(tags) SET id = '\(letter)', \(order) = id WHERE id > 'c'",
            "INSERT \(rule) INTO \(tags) VALUES ('\(letter)', '\(letter)'), ('u', NULL)",
            """
            INSERT INTO \(tags) SELECT id || '\(letter)', NULL FROM \(tags) WHERE true
            ON CONFLICT (id) DO UPDATE SET id = id || '!'
            """,
            "DELETE FROM \(tags)", "DELETE FROM invoice", "DELETE FROM user WHERE id % \(id) = 1",
            "DELETE FROM company WHERE id IN (SELECT age FROM user)", "DELETE FROM badge",
        ]
        return statements[random.below(statements.count)]
    }
}
