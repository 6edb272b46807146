// Everything that an entity may declare: attributes, keys, references, its own members, any place.

import Foundation
import Skiathos

enum Status: String { case active, retired }
struct Address: Codable, Hashable { var street = "" }

@Entity(id: String.self) struct Country { @Unique var name = "" }

@Entity(table: "people", id: UUID.self) struct Person: Hashable {
    var firstname = ""
    @Unique var email: String?
    @Unique(with: "firstname", "email") var nick = ""
    @Indexed var age = 0, height = 1.75
    var status: Status = .active
    var address = Address()
    var addresses: [Address] = []
    var born: Date?
    var joined = Date()
    var photo: Data?
    var balance: Decimal = 0
    var country: Country.ID?
    @References(onDelete: .cascade) var boss: Person.ID?
    @References(onDelete: .deny) var birthplace: Country.ID = .unassigned
    @Transient var isSelected = false
    static let adultAge = 18

    var isAdult: Bool { age >= Self.adultAge }
    mutating func celebrate() { age += 1 }
}

/// A book that other modules may use.
@Entity public struct Book: Codable {
    /// What is printed on its back.
    public var title = ""

    /// Makes a book that is not stored yet.
    public init(title: String) { self.title = title }
}

enum Library {
    @Entity fileprivate struct Shelf {
        var number = 0
        var book: Book.ID?
    }
}

extension Country {
    @Entity struct City {
        var name = ""
        var country: Country.ID?
    }
}

func use() async throws {
    let dal = try await DataAccessLayer.open(
        .inMemory, entities: Country.self, Person.self, Book.self, Library.Shelf.self,
        Country.City.self)
    let id = try await dal.write { context in
        let greece = try Country.create(id: "GR", in: context) { $0.name = "Greece" }
        let book = try Book.insert(Book(title: "Elements"), in: context)
        try Library.Shelf.create(in: context) { $0.book = book.id }
        try Country.City.create(in: context) { $0.country = greece.id }
        return try Person.create(in: context) { $0.birthplace = greece.id }.id
    }
    try await dal.write { try Person.find(id, in: $0)?.status = .retired }
    let people = try await dal.read { context in
        try Person.all(
            where: { $0.status == .active && $0.born == nil && $0.balance > 1.5 && $0.age >= 18 },
            orderedBy: { [$0.height.descending] }, in: context)
    }
    print(people.filter(\.isAdult))
}
