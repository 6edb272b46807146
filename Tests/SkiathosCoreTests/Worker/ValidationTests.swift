import Skiathos
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct ValidationTests {
    @Test(arguments: Place.allCases)
    func `all failures of a write are reported in one error, and nothing is stored`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            let id = try await dal.write { try Note.create(in: $0).id }
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    try Note.create(in: context) { $0.title = "" }
                    try Note.create(in: context) { $0.rating = 6 }
                    try Note.create(in: context) { $0.rating = -1 }
                    try Note.create(in: context) { $0.title = "final" }
                    try Note.create(in: context)
                    try Note.find(id, in: context)?.title = "alone"
                }
            }
            #expect(error?.code == .validationFailed)
            #expect(
                error?.validationFailures == [
                    ValidationFailure(
                        entity: "note", properties: ["title"], message: "must not be empty"),
                    ValidationFailure(
                        entity: "note", properties: ["rating"],
                        message: "must lie between 0 and 5", count: 2),
                    ValidationFailure(
                        entity: "note", properties: ["title", "revision"],
                        message: "a final note needs a revision"),
                    ValidationFailure(
                        entity: "note", properties: [], message: "A note is never alone."),
                ])
            let notes: [Note] = try await dal.read { try Note.all(in: $0) }
            #expect(notes == [Note(id: id)])
        }
    }

    @Test func `an error shows sentences and names of columns, and no values`() async throws {
        try await withNotes { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    try Note.create(in: context) {
                        $0.title = "long"
                        $0.rating = 8_151
                    }
                }
            }
            #expect(error?.validationFailures.map(\.properties) == [["rating"], []])
            #expect(error?.message.contains("note.rating: must lie between 0 and 5") == true)
            #expect(error?.message.contains("8151") == false)
        }
    }

    @Test func `many failures of one kind are one entry with their number`() async throws {
        try await withNotes { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    for _ in 0..<2_000 { try Note.create(in: context) { $0.rating = 9 } }
                }
            }
            #expect(error?.validationFailures.map(\.count) == [2_000])
        }
    }

    @Test func `a row that was not changed, or is deleted, is not validated`() async throws {
        try await withNotes { dal in
            let ids = try await Self.addUnsoundNotes(to: dal, count: 2)
            try await dal.write { context in
                let note = try Note.find(ids[0], in: context)
                note?.rating = 0
                note?.rating = 9
                try Note.find(ids[1], in: context)?.delete()
            }
            await #expect(throws: DataAccessError.self) {
                try await dal.write { try Note.find(ids[0], in: $0)?.revision = 1 }
            }
            let notes: [Note] = try await dal.read { try Note.all(in: $0) }
            #expect(notes.map(\.id) == [ids[0]])
            #expect(notes.map(\.revision) == [0])
        }
    }

    @Test(arguments: Place.allCases)
    func `a query in a write brings the failure, and the write can mend the object`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.rating = 7 }
                #expect(throws: DataAccessError.self) { _ = try Note.count(in: context) }
                note.rating = 5
                let count = try Note.count(in: context)
                #expect(count == 1)
            }
            let ratings: [Int] = try await dal.read { try Note.all(in: $0).map(\.rating) }
            #expect(ratings == [5])
        }
    }

    @Test func `a nested scope that is not valid is rolled back alone`() async throws {
        try await withNotes { dal in
            try await dal.write { context in
                let note = try Note.create(in: context) { $0.rating = 1 }
                #expect(throws: DataAccessError.self) {
                    try context.nested { context in
                        note.rating = 2
                        try Note.create(in: context) { $0.title = "" }
                    }
                }
                #expect(note.rating == 1)
            }
            let ratings: [Int] = try await dal.read { try Note.all(in: $0).map(\.rating) }
            #expect(ratings == [1])
        }
    }

    @Test(arguments: Place.allCases)
    func `rows that were changed without objects are validated, and all are as before`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                for rating in 0..<1_200 { try Note.create(in: context) { $0.rating = rating % 5 } }
            }
            try await dal.write { context in
                let held = try Note.first(where: { $0.rating == 4 }, in: context)
                let error = #expect(throws: DataAccessError.self) {
                    try Note.update(
                        where: { $0.rating >= 3 }, set: { [$0.rating.add(2)] }, in: context)
                }
                #expect(
                    error?.validationFailures == [
                        ValidationFailure(
                            entity: "note", properties: ["rating"],
                            message: "must lie between 0 and 5", count: 240)
                    ])
                #expect(held?.rating == 4)
                // The write continues, and valid values are changed.
                let count = try Note.update(
                    where: { $0.rating == 3 }, set: { [$0.rating.add(2)] }, in: context)
                #expect(count == 240)
            }
            let counts: [Int] = try await dal.read { context in
                try (3...6).map { rating in
                    try Note.count(where: { $0.rating == rating }, in: context)
                }
            }
            #expect(counts == [0, 240, 240, 0])
        }
    }

    @Test(arguments: Place.allCases)
    func `a write that is not valid leaves its batch mates committed`(
        _ place: Place
    ) async throws {
        try await withNotes(place, configuration: .patient) { dal in
            try await dal.write(acknowledging: .merged) { try Note.create(in: $0) }
            await #expect(throws: DataAccessError.self) {
                try await dal.write(acknowledging: .merged) { context in
                    try Note.create(in: context)
                    try Note.create(in: context) { $0.title = "" }
                }
            }
            try await dal.write(acknowledging: .committed) { try Note.create(in: $0) }
            let count: Int = try await dal.read { try Note.count(in: $0) }
            #expect(count == 2)
        }
    }

    @Test func `an entity without requirements takes none of these paths`() async throws {
        try await withFailingStore { dal, control in
            let all = dal.coordinator.rootWriter.traits
            let schema = dal.coordinator.store.schema
            func traits<E: Entity>(of entity: E.Type) throws -> EntityTraits {
                all[try #require(schema.position(of: E.self))]
            }
            #expect(try traits(of: Note.self).needsPreparation)
            #expect(try !traits(of: User.self).needsPreparation)
            #expect(try traits(of: User.self).observer == nil)
            #expect(try !traits(of: Message.self).needsPreparation)
            try await dal.write { context in try User.create(in: context) { $0.age = 1 } }
            let before = control.queryCount
            try await dal.write { context in
                try User.update(set: { [$0.age.add(1)] }, in: context)
            }
            // Nothing was fetched beside the statement itself.
            #expect(control.queryCount == before)
        }
    }

    /// Adds notes that do not meet their requirements, as an older version could have done.
    private static func addUnsoundNotes(
        to dal: DataAccessLayer, count: Int
    ) async throws -> [Note.ID] {
        try await dal.write { context in
            let notes = try (0..<count).map { _ in try Note.create(in: context) }
            let position = try context.position(of: Note.self)
            // Below the level that validates.
            _ = try context.change(position, refreshing: [position]) { session in
                try session.update(
                    FetchRequest(entity: position),
                    [StoreAssignment(column: 3, .set(.value(.integer(9))))])
            }
            return notes.map(\.id)
        }
    }
}
