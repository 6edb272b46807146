import SkiathosStore

@testable import SkiathosSQLite

/// The data of all versions in plain Swift, carried from each version to the next.
struct PlainModel {
    struct Person {
        var id: Int64
        var name: String
        var age: Int64
        var nick: String?
        var email: String?
        var code: Int64 = 0
        var mood: String
        var boss: Int64?
        var team: Int64?
    }

    private(set) var version = 1
    private var people: [Person] = []
    private var badges: [Int64: String] = [:]
    private let teams: [Int64: String] = [1: "one", 2: "two", 7: "seven"]

    /// Some rows of the first version, so long that a transaction of them outgrows the cache.
    init() {
        let long = String(repeating: "long ", count: 500)
        people = (1...12).map { id in
            Person(
                id: id, name: "Née\(id) of Århus \(id % 5)", age: 20 + id,
                nick: id % 3 == 0 ? nil : "n\(id) \(id % 4 == 0 ? long : "")",
                mood: ["calm", "busy", "wild"][Int(id) % 3], boss: id > 1 ? id / 2 : nil,
                team: [nil, 1, 2, 7][Int(id) % 4])
        }
    }

    mutating func advance() {
        version += 1
        for position in people.indices {
            if version == 7 {
                badges[people[position].id] =
                    "\(people[position].mood)/\(people[position].age)"
            }
            Self.advance(&people[position], to: version)
        }
    }

    private static func advance(_ person: inout Person, to version: Int) {
        switch version {
        case 2: person.email = person.nick.map { $0 + "@x" }
        case 4: person.nick = person.nick?.uppercased()
        case 5: person.code = 1_000 + person.id
        case 6: person.email = person.email ?? person.name + "@y"
        case 9: if person.mood == "wild" { person.mood = "busy" }
        case 12: person.code += 1
        default: break
        }
    }

    /// Rows that this version of the program makes.
    mutating func create() -> [String] {
        let born = (0..<2).map { number in
            let id = Int64(100 + version * 2 + number)
            let moods = version < 9 ? ["wild", "calm"] : ["busy", "calm"]
            return Person(
                id: id, name: "New\(id) Born", age: id % 90, nick: number == 0 ? nil : "B\(id)",
                email: version < 2 || version < 6 && number == 1 ? nil : "\(id)@z",
                code: version < 5 ? 0 : 5_000 + id, mood: moods[number], boss: 1, team: 2)
        }
        people += born
        let form = Program.all[version - 1].forms[0]
        return born.map { insertion(values($0, form), form) }
    }

    private func insertion(_ values: [StoreValue], _ form: Form) -> String {
        let columns = (["id"] + form.columns.map(\.name)).joined(separator: ", ")
        let literals = values.map(\.sqlLiteral).joined(separator: ", ")
        return "INSERT INTO \(form.table) (\(columns)) VALUES (\(literals))"
    }

    /// The statements that fill a store of the version.
    var filling: [String] {
        Program.all[version - 1].forms.flatMap { form in
            rows(form).map { insertion($0, form) }
        }
    }

    /// The rows of a table of the version, by ID.
    func rows(_ form: Form) -> [[StoreValue]] {
        switch form.table {
        case "team":
            teams.sorted { $0.key < $1.key }.map { [.integer($0.key), .text($0.value)] }
        case "crew":
            teams.sorted { $0.key < $1.key }.map { [.text("t\($0.key)"), .text($0.value)] }
        case "badge":
            badges.sorted { $0.key < $1.key }
                .map { [.integer($0.key), .text($0.value), .integer($0.key)] }
        default: people.sorted { $0.id < $1.id }.map { values($0, form) }
        }
    }

    private func values(_ person: Person, _ form: Form) -> [StoreValue] {
        [.integer(person.id)] + form.columns.map { value($0.name, of: person) }
    }

    private func value(_ column: String, of person: Person) -> StoreValue {
        let names = person.name.split(separator: " ", maxSplits: 1).map(String.init)
        switch column {
        case "name": return .text(person.name)
        case "first": return .text(names[0])
        case "last": return .text(names[1])
        case "email": return person.email.map { .text($0) } ?? .null
        case "age":
            return version < 3
                ? .text("\(person.age)")
                : version < 11 ? .integer(person.age) : .real(Double(person.age) * 12)
        case "nick", "handle": return person.nick.map { .text($0) } ?? .null
        case "mood": return .text(person.mood)
        case "code": return .integer(person.code)
        case "calm": return .integer(person.mood == "calm" ? 1 : 0)
        case "boss": return person.boss.map { .integer($0) } ?? .null
        default:
            guard let team = person.team else { return .null }
            return version < 10 ? .integer(team) : .text("t\(team)")
        }
    }
}
