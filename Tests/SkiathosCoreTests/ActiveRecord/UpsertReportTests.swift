import Foundation
import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct UpsertReportTests {
    @Test(arguments: Place.allCases)
    func `each value is reported in its list, in the order of the input`(
        _ place: Place
    ) async throws {
        try await withNotes(place) { dal in
            try await dal.write { context in
                for number in 0..<4 {
                    try User.create(in: context) {
                        $0.email = "\(number)"
                        $0.firstname = "\(number)"
                        $0.age = number
                    }
                }
            }
            let report = try await dal.write { context in
                try User.upsert(
                    [7, 3, 2, 8, 1, 0].map { number in
                        User(
                            firstname: "\(number)", email: "\(number)",
                            age: number.isMultiple(of: 2) ? number : number + 10)
                    }, by: \.email, in: context)
            }
            let emails: [[String?]] = try await dal.read { context in
                try [report.inserted, report.updated, report.unchanged].map { ids in
                    try User.find(ids, in: context).found.map(\.email)
                }
            }
            #expect(emails == [["7", "8"], ["3", "1"], ["2", "0"]])
        }
    }

    @Test(arguments: Place.allCases)
    func `an upsert of any input has the result of one value after the other`(
        _ place: Place
    ) async throws {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<8 {
            let users = (0..<60).map { _ in
                // Different spellings of the same character are different texts.
                let emails = ["a", "b", "c", "\u{E9}", "e\u{301}", nil]
                return User(
                    firstname: "\(Int.random(in: 0..<3, using: &random))",
                    lastname: UUID().uuidString, email: emails.randomElement(using: &random) ?? nil)
            }
            try await withNotes(place) { bulk in
                try await withNotes(place) { single in
                    for half in [users[..<20], users[20...]] {
                        let report = try await bulk.write { context in
                            try User.upsert(half, by: \.email, in: context)
                        }
                        let expected = try await single.write { context in
                            var report = UpsertReport<User>()
                            for user in half {
                                let (object, outcome) = try User.upsert(
                                    reporting: user, by: \.email, in: context)
                                report.add(object.id, outcome)
                            }
                            return report
                        }
                        #expect(report == expected)
                        let all: @Sendable (ReadContext) throws -> [User] = {
                            try User.all(orderedBy: { [$0.id.ascending] }, in: $0)
                        }
                        let stored: [User] = try await bulk.read(all)
                        let others: [User] = try await single.read(all)
                        #expect(stored == others)
                    }
                }
            }
        }
    }

    @Test func `a batch of keys takes one query, also for keys of several columns`() async throws {
        try await withFailingStore { dal, control in
            let users = (0..<1_000).map { User(firstname: "\($0)", lastname: "x", email: "\($0)") }
            for round in 0..<2 {
                for keyPaths in [[\User.email], [\User.firstname, \User.lastname, \User.age]] {
                    let before = control.queryCount
                    let report = try await dal.write { context in
                        keyPaths.count == 1
                            ? try User.upsert(users, by: \.email, in: context)
                            : try User.upsert(
                                users, by: \.firstname, \.lastname, \.age, in: context)
                    }
                    #expect(control.queryCount - before == 2)
                    let isFirst = round == 0 && keyPaths.count == 1
                    #expect(report.inserted.count == (isFirst ? 1_000 : 0))
                    #expect(report.unchanged.count == (isFirst ? 0 : 1_000))
                }
            }
        }
    }

    @Test func `rows that hold their value already cause no write`() async throws {
        try await withNotes { dal in
            let users = (0..<10).map { User(firstname: "\($0)", email: "\($0)") }
            try await dal.write { try User.upsert(users, by: \.email, in: $0) }
            let feed = dal.changes(of: User.self)
            let report = try await dal.write { context in
                let report = try User.upsert(users, by: \.email, in: context)
                let unit = try context.unit(of: User.self)
                #expect(unit.pendingCount == 0)
                return report
            }
            #expect(report.unchanged.count == 10)
            let id = try await dal.write { try User.create(in: $0).id }
            var iterator = feed.makeAsyncIterator()
            guard case .changes(let changes)? = try await iterator.next() else {
                Issue.record("There is no changeset.")
                return
            }
            #expect(changes.inserted == [id])
        }
    }

    @Test func `a reported upsert without key paths goes by the ID`() async throws {
        try await withNotes { dal in
            let id = try await dal.write { try User.create(in: $0).id }
            let report = try await dal.write { context in
                try User.upsert(
                    [
                        User(id: id, age: 1), User(id: id, age: 3), User(id: id, age: 3),
                        User(id: 42, age: 2),
                    ],
                    in: context)
            }
            #expect(report.updated == [id, id])
            #expect(report.unchanged == [id])
            #expect(report.inserted == [42])
            let ages: [Int] = try await dal.read { context in
                try User.all(orderedBy: { [$0.id.ascending] }, in: context).map(\.age)
            }
            #expect(ages == [3, 2])
        }
    }

    @Test(arguments: ["one", "many", "reporting", "by the key path"])
    func `an upsert by the ID of a value without an ID is refused`(_ way: String) async throws {
        try await withNotes { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context -> Void in
                    switch way {
                    case "one": try User.upsert(User(age: 1), in: context)
                    case "many": try User.upsert([User(id: 1), User(age: 1)], in: context)
                    case "reporting":
                        _ = try User.upsert(reporting: User(age: 1), in: context)
                    default: try User.upsert(User(age: 1), by: \.id, in: context)
                    }
                }
            }
            #expect(error?.code == .invalidID)
            #expect(error?.message.contains("upsert of User by its ID") == true)
            let count: Int = try await dal.read { try User.count(in: $0) }
            #expect(count == 0)
        }
    }

    @Test func `the upsert of one value reports what it has done`() async throws {
        try await withNotes { dal in
            for (age, expected) in [
                (1, UpsertOutcome.inserted), (1, .unchanged), (2, .updated),
            ] {
                let outcome = try await dal.write { context in
                    try User.upsert(
                        reporting: User(email: "a", age: age), by: \.email, in: context
                    ).outcome
                }
                #expect(outcome == expected)
            }
        }
    }
}
