// A module whose declarations belong to the main actor by default may have entities like any other.
// options: -default-isolation MainActor

import Foundation
import Skiathos

nonisolated struct Address: Codable, Hashable { var street = "" }
enum Status: String { case active, retired }

@Entity struct Company {
    @Unique var name = ""
    var employees: ToMany<Employee> { ToMany(\.company, of: id) }
}

@Entity(id: UUID.self) struct Employee: WriteHooks {
    var name = ""
    var status: Status = .active
    var address = Address()
    @Indexed var age = 0
    var company: Company.ID?

    var greeting: String { "Hello \(name)" }

    func validate(_ validation: inout Validation<Employee>) {
        validation.require(\.age, age >= 0, "must not be negative")
    }

    static func willUpdate(_ employee: Managed<Employee>, in context: WriteContext) throws {
        if employee.age < 18 { employee.age = 18 }
    }
}

enum Library {
    @Entity struct Book {
        var title = ""
        init(title: String) { self.title = title }
        init() {}
    }

    @Entity struct Shelf {
        var label = ""
        init(label: String) { self.label = label }
    }
}

/// Without the macro an entity says itself that it belongs to no actor.
nonisolated struct Note {
    var id: EntityID<Note> = .unassigned
    var text = ""
    var company: Company.ID?
}

nonisolated extension Note: TableEntity {
    init(id: Note.ID) { self.id = id }

    static let table = EntityTable("note", id: \Note.id) {
        EntityColumn("text", \.text)
        EntityColumn("company", \.company, .references(onDelete: .cascade))
    }
}

final class Model {
    private let dal: DataAccessLayer
    private(set) var employees: [Employee] = []

    init(_ dal: DataAccessLayer) { self.dal = dal }

    func load() async throws {
        employees = try await dal.read {
            try Employee.all(
                where: { $0.age > 17 && $0.status == .active },
                orderedBy: { [$0.name.ascending] }, in: $0)
        }
        print(employees.map(\.greeting))
        print(try await dal.read { try Note.all(where: { $0.company.name == "A" }, in: $0) })
    }

    func hire(_ name: String) async throws {
        try await dal.write { context in
            let company = try Company.create(in: context) { $0.name = "Skiathos" }
            try Employee.create(in: context) {
                $0.name = name
                $0.company = company.id
            }
            for employee in try company.employees.all(in: context) {
                employee.age += 1
                print(employee.greeting, employee.value.greeting)
            }
        }
    }
}

actor Importer {
    private let dal: DataAccessLayer

    init(_ dal: DataAccessLayer) { self.dal = dal }

    func add(_ titles: [String]) async throws -> Int {
        try await dal.write { context in
            for title in titles { try Library.Book.insert(Library.Book(title: title), in: context) }
        }
        let books = try await dal.read { try Library.Book.all(in: $0) }
        return books.map(\.title).count
    }
}

nonisolated func stock(_ dal: DataAccessLayer) async throws {
    let task = Task.detached {
        try await dal.write { try Library.Shelf.create(in: $0) { $0.label = "A" }.id }
    }
    let id = try await task.value
    print(try await dal.read { try Library.Shelf.find(id, in: $0)?.label ?? "" })
}
