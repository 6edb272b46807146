#if Macros
import Foundation
import Skiathos
import Testing

@Suite struct EntityBehaviourTests {
    @Test func `a value passes through a row unchanged`() throws {
        var person = Person(id: 7)
        person.firstname = "Ada"
        person.email = "ada@example.org"
        person.company = 3
        person.boss = 1
        person.formerLevel = .high
        person.formerAddress = Address(street: "Elm Street")
        person.tags = ["a", "b"]
        person.scores = ["x": 1]
        person.page = URL(string: "https://example.org")
        person.born = Date(timeIntervalSince1970: 1_000_000)
        person.balance = 12.5
        let copy = try roundTrip(person)
        #expect(copy.changedColumns(from: person).isEmpty)
        #expect(copy.id == 7 && copy.email == person.email && copy.company == 3)
        #expect(copy.tags == person.tags && copy.scores == person.scores)
        #expect(copy.revealed() == "s")
    }

    @Test func `a new value has its ID and all defaults`() {
        let person = Person(id: 9)
        #expect(person.id == 9 && person.age == 0 && person.height == 1.75)
        #expect(person.email == nil && person.status == .active && person.other == -1)
        #expect(Person().id == .unassigned)
    }

    @Test func `the columns that were changed are found`() {
        let old = Person(id: 1)
        var new = old
        new.age = 1
        new.email = "a"
        new.observations = 5
        let names = new.changedColumns(from: old).map { Person.schema.columns[$0].name }
        #expect(names == ["age", "email"])
        #expect(old.changedColumns(from: old).isEmpty)
    }

    @Test func `key paths lead to positions`() {
        #expect(Person.column(at: \.id) == 0)
        #expect(Person.column(at: \.firstname) == Person.columns.firstname.position)
        #expect(Person.column(at: \.`class`) == Person.columns.`class`.position)
        #expect(Person.column(at: \.observations) == nil)
        #expect(Person.column(at: \.name) == nil)
        #expect(Zoo.Animal.column(at: \.mother) == 2)
    }

    @Test func `positions are those of the schema`() {
        let names = Person.schema.columns.map(\.name)
        #expect(names.prefix(5) == ["id", "firstname", "age", "height", "email"])
        #expect(names[Person.columns.isObserved.position] == "isObserved")
        #expect(!names.contains("observations") && !names.contains("constant"))
    }

    @Test func `a struct may initialise itself in its own ways`() throws {
        #expect(Ticket(title: "b").title == "b")
        #expect(Country(name: "Greece").name == "Greece")
        #expect(Country(id: "GR").name.isEmpty)
        #expect(Lonely(id: 4).id == 4 && Marked(id: 4).mark == 1)
        let ticket = Ticket(id: Ticket.ID(rawValue: UUID()))
        #expect(try roundTrip(ticket).id == ticket.id)
    }

    @Test func `a nested struct uses the types beside it`() throws {
        var animal = Zoo.Animal(id: 1)
        animal.kind = .dog
        animal.father = 2
        let copy = try roundTrip(animal)
        #expect(copy.kind == .dog && copy.father == 2 && copy.mother == nil)
        #expect(try roundTrip(Zoo.Cage(id: 5)).id == 5)
    }

    private func roundTrip<E: Entity>(_ value: E) throws -> E {
        let values = try E.schema.columns.indices.map { column in
            try StoreValue.capture { try value.bind(column, to: $0, at: 0) }
        }
        return try FakeRow(values).read { try E(row: $0) }
    }
}
#endif
