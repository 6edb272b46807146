import SkiathosCore
import SkiathosStore

protocol Version: Sendable {
    static var number: Int { get }
}

enum V1: Version { static let number = 1 }
enum V2: Version { static let number = 2 }
enum V3: Version { static let number = 3 }
enum V4: Version { static let number = 4 }
enum V5: Version { static let number = 5 }
enum V6: Version { static let number = 6 }
enum V7: Version { static let number = 7 }
enum V8: Version { static let number = 8 }
enum V9: Version { static let number = 9 }
enum V10: Version { static let number = 10 }
enum V11: Version { static let number = 11 }
enum V12: Version { static let number = 12 }

/// People: every kind of change happens to their columns.
enum Human<V: Version>: Shape {
    static var form: Form {
        let v = V.number
        var columns: [Form.Column] = []
        if v < 11 { columns.append(.init("name", .text, .text(""))) }
        if v >= 11 { columns += ["first", "last"].map { .init($0, .text, .text("?")) } }
        if v >= 2 {
            columns.append(v < 6 ? .init("email", .optionalText) : .init("email", .text, .text("")))
        }
        columns.append(
            v < 3
                ? .init("age", .text, .text(""))
                : v < 11
                    ? .init("age", .integer, .integer(0)) : .init("age", .real, .real(0)))
        if v < 4 { columns.append(.init("nick", .optionalText)) }
        if v >= 4, v < 12 { columns.append(.init("handle", .optionalText, was: ["nick"])) }
        if v < 12 {
            let moods = v < 9 ? ["calm", "busy", "wild"] : ["calm", "busy"]
            columns.append(.init("mood", .choice(moods), .text("calm")))
        }
        if v >= 5 { columns.append(.init("code", .integer, .integer(0))) }
        if v >= 12 { columns.append(.init("calm", .integer, .integer(0))) }
        columns.append(.init("boss", .reference(Sample<Human<V>>.self, isText: false)))
        columns.append(
            v < 10
                ? .init("team", .reference(Sample<Team<V>>.self, isText: false))
                : .init("team", .reference(Sample<Crew<V>>.self, isText: true)))
        return Form(
            table: v < 8 ? "person" : "human", columns: columns,
            unique: v >= 5 ? [["code"]] : [], indexed: v >= 3 ? ["age"] : [],
            searchable: v < 4 ? [] : v < 11 ? ["name"] : ["last"], was: v < 8 ? [] : ["person"])
    }
}

/// Teams, until their IDs become texts.
enum Team<V: Version>: Shape {
    static var form: Form { Form(table: "team", columns: [.init("label", .text, .text(""))]) }
}

/// What teams are from then on.
enum Crew<V: Version>: Shape {
    typealias RawID = String
    static var form: Form { Form(table: "crew", columns: [.init("label", .text, .text(""))]) }
}

/// What is split from people.
enum Pass<V: Version>: Shape {
    static var form: Form {
        Form(
            table: "badge",
            columns: [
                .init("text", .text, .text("")),
                .init("owner", .reference(Sample<Human<V>>.self, isText: false)),
            ])
    }
}

/// One version of the program: its entities, and the steps that it knows.
struct Program: Sendable {
    static let all = [
        Program(V1.self), Program(V2.self), Program(V3.self), Program(V4.self), Program(V5.self),
        Program(V6.self), Program(V7.self), Program(V8.self), Program(V9.self), Program(V10.self),
        Program(V11.self), Program(V12.self),
    ]

    let number: Int
    let entities: [any Entity.Type]
    let forms: [Form]
    let steps: [Migration]

    init<V: Version>(_ version: V.Type) {
        number = V.number
        var entities: [any Entity.Type] = [Sample<Human<V>>.self]
        var forms = [Human<V>.form]
        if V.number < 10 {
            entities.append(Sample<Team<V>>.self)
            forms.append(Team<V>.form)
        } else {
            entities.append(Sample<Crew<V>>.self)
            forms.append(Crew<V>.form)
        }
        if V.number >= 7 {
            entities.append(Sample<Pass<V>>.self)
            forms.append(Pass<V>.form)
        }
        self.entities = entities
        self.forms = forms
        steps = (2...12).filter { $0 <= V.number }.compactMap { Steps<V>.step($0) }
    }
}

/// The steps to each version as a program keeps them that is itself of one version: they work with
/// its entities, and take what they find in a store of any age.
private enum Steps<V: Version> {
    typealias Person = Sample<Human<V>>
    static var table: String { Person.schema.table }

    static func step(_ number: Int) -> Migration? {
        switch number {
        case 2: emails
        case 3: ages
        case 4: handles
        case 5: codes
        case 6: requiredEmails
        case 7: badges
        case 9: moods
        case 10: crews
        case 11: names
        case 12: cleaning
        default: nil
        }
    }

    static var emails: Migration {
        Migration("2 emails") { step in
            try step.transform(Person.self) { old, person in
                let nick = old.storedValue(of: "handle") ?? old.storedValue(of: "nick")
                if case .text(let nick)? = nick { person["email"] = .text(nick + "@x") }
            }
        }
    }

    static var ages: Migration {
        Migration("3 ages", converts: ["\(table).age"]) { step in
            try step.transform(Person.self) { old, person in
                guard case .text(let text)? = old.storedValue(of: "age") else { return }
                let years = Int64(text) ?? -1
                person["age"] = V.number < 11 ? .integer(years) : .real(Double(years) * 12)
            }
        }
    }

    static var handles: Migration {
        Migration("4 handles") { step in
            for name in ["handle", "nick"] where try step.hasColumn(name, of: table) {
                try step.execute("UPDATE \(table) SET \(name) = upper(\(name))")
            }
        }
    }

    static var codes: Migration {
        Migration("5 codes") { step in
            try step.transform(Person.self) { _, person in
                person["code"] = .integer(1_000 + person.id.rawValue)
            }
        }
    }

    static var requiredEmails: Migration {
        Migration("6 emails") { step in
            try step.transform(Person.self) { old, person in
                guard person["email"] == .null || person["email"] == .text("") else { return }
                guard case .text(let name)? = old.storedValue(of: "name") else { return }
                person["email"] = .text(name + "@y")
            }
        }
    }

    static var badges: Migration {
        Migration("7 badges") { step in
            try step.transform(Sample<Pass<V>>.self, from: table) { old, badge in
                guard case .text(let mood)? = old.storedValue(of: "mood"),
                    case .integer(let id)? = old.storedValue(of: "id")
                else { return }
                badge["text"] = .text("\(mood)/\(years(old))")
                badge["owner"] = .integer(id)
            }
        }
    }

    static var moods: Migration {
        Migration("9 moods") { step in
            guard Person.has("mood") else { return }
            try step.transform(Person.self) { old, person in
                if old.storedValue(of: "mood") == .text("wild") { person["mood"] = .text("busy") }
            }
        }
    }

    static var crews: Migration {
        Migration("10 crews", drops: ["team"], converts: ["\(table).team"]) { step in
            guard try step.hasTable("team") else { return }
            try step.transform(Sample<Crew<V>>.self, from: "team") { old, crew in
                crew.id = EntityID(rawValue: "t\(try old["id", as: Int.self])")
            }
            try step.transform(Person.self) { old, person in
                guard case .integer(let team)? = old.storedValue(of: "team") else { return }
                person["team"] = .text("t\(team)")
            }
        }
    }

    static var names: Migration {
        Migration("11 names", drops: ["\(table).name"], converts: ["\(table).age"]) { step in
            try step.transform(Person.self) { old, person in
                let parts = try old["name", as: String.self].split(separator: " ", maxSplits: 1)
                person["first"] = .text(String(parts[0]))
                person["last"] = .text(String(parts[1]))
                guard case .integer(let years)? = old.storedValue(of: "age") else { return }
                person["age"] = .real(Double(years) * 12)
            }
        }
    }

    static var cleaning: Migration {
        let drops = ["handle", "nick", "mood"].map { "\(table).\($0)" }
        return Migration("12 cleaning", drops: drops) { step in
            try step.transform(Person.self) { old, person in
                let isCalm = old.storedValue(of: "mood") == .text("calm")
                person["calm"] = .integer(isCalm ? 1 : 0)
                // Each code is that of the next person, for a moment.
                if case .integer(let code)? = person["code"] { person["code"] = .integer(code + 1) }
            }
        }
    }

    private static func years(_ old: OldRow) -> Int64 {
        switch old.storedValue(of: "age") {
        case .text(let text)?: Int64(text) ?? -1
        case .integer(let years)?: years
        case .real(let months)?: Int64(months) / 12
        default: -2
        }
    }
}
