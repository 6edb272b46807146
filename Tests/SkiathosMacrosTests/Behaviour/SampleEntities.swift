#if Macros
import Foundation
public import Skiathos

enum Status: String { case active, retired }
enum Level: Int, Codable { case low, high }
struct Address: Codable, Hashable { var street = "" }
/// A user's own type with the name of one of ours.
struct Column: Codable, Hashable { var width = 0 }

@Entity struct Company { @Unique var name = "" }

@Entity struct Person {
    var firstname = ""
    @Indexed var age = 0, height = 1.75
    @Unique var email: String?
    @Unique(with: "age", "email") var nick = ""
    var company: Company.ID?
    @References(onDelete: .cascade) var boss: Person.ID?
    var friend: Self.ID?
    var status = Status.active as Status
    var level: Level = .low
    var formerLevel: Level?
    var address = Address(street: "Main Street 1")
    var formerAddress: Address?
    var tags = [String]()
    var scores: [String: Int] = [:]
    var balance: Decimal = 0
    var page: URL?
    var photo = Data()
    var token: UUID = UUID()
    var born = Date()
    var column = Column()
    var other = -1
    var row = true
    var `class` = "first"
    private var secret = "s"
    var isObserved = 0 { didSet { observations += 1 } }
    @Transient var observations = 0
    @Transient let constant = 7
    static let population = 3
    var name: String { "\(firstname) \(age)" }
    func revealed() -> String { secret }
}

@Entity(table: "tickets", id: UUID.self) struct Ticket {
    var title: String? = "x"
    init(title: String = "none") { self.title = title }
}

@Entity(id: String.self) struct Country {
    var id: Country.ID = .unassigned
    var name = ""
    init(name: String) { self.name = name }
}

/// An entity that other modules see.
@Entity public struct Open {
    /// A column that other modules see.
    public var name = ""
    var hidden = Status.active as Status
    private enum Kind: String { case a }
    private var kind: Kind = .a
}

@Entity package struct Boxed { package var name = "" }
@Entity private struct Secretive { var name = "" }
@Entity struct Lonely {}
@Entity struct Marked { @Transient let mark = 1 }

enum Zoo {
    enum Kind: String { case cat, dog }
    @Entity struct Animal {
        var kind: Kind = .cat
        var mother: Animal.ID?
        var father: Self.ID?
        fileprivate var keeper: Zoo.Keeper.ID?
    }
    @Entity fileprivate struct Keeper { var name = "" }
}

extension Zoo {
    @Entity struct Cage { var kinds: [String: Kind.RawValue] = [:] }
}
#endif
