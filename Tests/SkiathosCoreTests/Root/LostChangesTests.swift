import Logging
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

/// What the error handler learns of writes that had returned as merged, and were lost.
@Suite(.generousTimeLimit) struct LostChangesTests {
    private struct Refused: Error {}

    /// Runs writes that return as merged, and returns the failures of the error handler after their
    /// commit was refused.
    ///
    /// - Parameters:
    ///   - prepare: Runs before, and is committed.
    ///   - body: Its batch stays open.
    private func failures<Prepared: Sendable>(
        after prepare: @escaping @Sendable (WriteContext) throws -> Prepared,
        _ body: @escaping @Sendable (DataAccessLayer, Prepared) async throws -> Void
    ) async throws -> [BackgroundFailure] {
        let failures = Log<BackgroundFailure>()
        var configuration = Configuration.patient
        configuration.acknowledgement = .merged
        configuration.maximumBatchSize = 10_000
        configuration.errorHandler = { failures.note($0) }
        try await withFailingStore(configuration: configuration) { dal, control in
            let prepared = try await dal.write(acknowledging: .committed, prepare)
            try await body(dal, prepared)
            #expect(failures.entries.isEmpty)
            control.refuseCommits(true)
            await #expect(throws: StoreError.self) { try await dal.flush(to: .committed) }
            control.refuseCommits(false)
            // Nothing of it is reported again.
            try await dal.write { try Company.create(in: $0) { $0.name = "Next" } }
            try await dal.flush(to: .committed)
        }
        return failures.entries
    }

    /// The only failure after one write.
    private func failure<Prepared: Sendable>(
        after prepare: @escaping @Sendable (WriteContext) throws -> Prepared,
        _ write: @escaping @Sendable (WriteContext, Prepared) throws -> Void
    ) async throws -> BackgroundFailure {
        let failures = try await failures(after: prepare) { dal, prepared in
            try await dal.write { try write($0, prepared) }
        }
        try #require(failures.count == 1)
        return failures[0]
    }

    @Test func `inserted, updated and deleted rows are named, by entity`() async throws {
        let created = Log<Note.ID>()
        let failure = try await failure { context in
            try (0..<3).map { number in
                try Company.create(in: context) { $0.name = "\(number)" }.id
            }
        } _: { context, companies in
            try Company.find(companies[0], in: context)?.name = "changed"
            try Company.find(companies[1], in: context)?.delete()
            // Read and set to the same value.
            try Company.find(companies[2], in: context)?.name = "2"
            for _ in 0..<2 { created.note(try Note.create(in: context).id) }
            try User.create(in: context).delete()
        }
        #expect(failure.operation == .commit)
        #expect((failure.error as? StoreError)?.code == .diskFull)
        #expect(failure.lostWrites == 1)
        // In the order of the schema, without the user, who was deleted again.
        #expect(failure.lostChanges.map(\.entity) == ["note", "company", "user"])
        let notes = failure.lostChanges[0]
        #expect(notes.typeName == "Note")
        #expect(notes.ids(of: Note.self) == LostChanges.IDs<Note>(inserted: created.entries))
        #expect(notes.inserted == created.entries.map { .integer($0.rawValue) })
        #expect(notes.isComplete)
        #expect(notes.count == 2)
        let companies = failure.lostChanges[1]
        #expect(companies.ids(of: Company.self)?.inserted == [])
        #expect(companies.ids(of: Company.self)?.updated == [1])
        #expect(companies.ids(of: Company.self)?.deleted == [2])
        #expect(companies.updated == [.integer(1)])
        #expect(companies.deleted == [.integer(2)])
        #expect(companies.count == 2)
        #expect(companies.ids(of: Note.self) == nil)
        // Users refer to companies, and the store may have cleared their references.
        let users = failure.lostChanges[2]
        #expect(users.ids(of: User.self) == LostChanges.IDs<User>())
        #expect(!users.isComplete)
        #expect(users.count == 0)
        // No ID is in a text for logs.
        #expect("\(companies)" == "Company: 0 inserted, 1 updated, 1 deleted")
    }

    @Test func `a look-up that ends the transaction loses the batch, and the batch alone`()
        async throws
    {
        let failures = Log<BackgroundFailure>()
        var configuration = Configuration.patient
        configuration.acknowledgement = .merged
        configuration.errorHandler = { failures.note($0) }
        try await withFailingStore(configuration: configuration) { dal, control in
            let kept = try await dal.write(acknowledging: .committed) { try User.create(in: $0).id }
            let lost = try await dal.write { try User.create(in: $0) { $0.age = 1 }.id }
            control.endTransactions(true)
            // The closure goes on after the error, and changes something else.
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.write { context in
                    #expect(throws: StoreError.self) { _ = try User.find(kept, in: context) }
                    try Company.create(in: context) { $0.name = "relied on it" }
                }
            }
            #expect(error?.code == .transactionLost)
            control.endTransactions(false)
            #expect(failures.entries.map(\.lostWrites) == [1])
            let changes = try #require(failures.entries.first?.lostChanges.first)
            #expect(changes.ids(of: User.self)?.inserted == [lost])
            try await dal.write(acknowledging: .committed) { context in
                try Company.create(in: context) { $0.name = "next" }
            }
            let users: [User.ID] = try await dal.read { try User.all(in: $0).map(\.id) }
            let companies: [String] = try await dal.read { try Company.all(in: $0).map(\.name) }
            #expect(users == [kept])
            #expect(companies == ["next"])
            // Reported once more, to the caller that asks for what has returned.
            await #expect(throws: StoreError.self) { try await dal.flush(to: .committed) }
        }
    }

    @Test func `the changes of several writes are net changes`() async throws {
        let ids = Log<User.ID>()
        let failures = try await failures(after: { _ in }) { dal, _ in
            try await dal.write { context in
                for age in 0..<3 { ids.note(try User.create(in: context) { $0.age = age }.id) }
            }
            // Found by their IDs, which commits nothing.
            try await dal.write { try User.find(ids.entries[0], in: $0)?.age = 7 }
            try await dal.write { try User.find(ids.entries[1], in: $0)?.delete() }
        }
        try #require(failures.count == 1)
        #expect(failures[0].lostWrites == 3)
        #expect(failures[0].lostChanges.map(\.entity) == ["user"])
        let users = try #require(failures[0].lostChanges.first)
        #expect(
            users.ids(of: User.self)
                == LostChanges.IDs<User>(inserted: [ids.entries[0], ids.entries[2]]))
        #expect(users.isComplete)
        // Each change counts.
        #expect(users.count == 5)
    }

    @Test func `several flushes of one write are net changes`() async throws {
        let kept = Log<Note.ID>()
        let failure = try await failure {
            try Note.create(in: $0).id
        } _: { context, old in
            let new = try Note.create(in: context)
            kept.note(new.id)
            let gone = try Note.create(in: context)
            _ = try Note.count(in: context)
            new.rating = 3
            try gone.delete()
            try Note.find(old, in: context)?.rating = 1
            _ = try Note.count(in: context)
            try Note.find(old, in: context)?.delete()
        }
        let notes = try #require(failure.lostChanges.first { $0.entity == "note" })
        #expect(notes.ids(of: Note.self)?.inserted == kept.entries)
        #expect(notes.updated == [])
        #expect(notes.deleted == [.integer(1)])
        // Two insertions, then two updates and a deletion counted flush by flush, then a deletion.
        #expect(notes.count == 6)
    }

    @Test func `scopes and writes that were rolled back are not described`() async throws {
        let kept = Log<Company.ID>()
        let failures = try await failures(after: { try Note.create(in: $0).id }) { dal, _ in
            await #expect(throws: Refused.self) {
                try await dal.write { context in
                    try Company.create(in: context) { $0.name = "refused" }
                    throw Refused()
                }
            }
            try await dal.write { context in
                kept.note(try Company.create(in: context) { $0.name = "kept" }.id)
                #expect(throws: Refused.self) {
                    try context.nested { context in
                        try Company.create(in: context) { $0.name = "rolled back" }
                        _ = try Company.count(in: context)
                        try Note.update(set: { [$0.rating.set(to: 1)] }, in: context)
                        throw Refused()
                    }
                }
                try context.nested { context in
                    kept.note(try Company.create(in: context) { $0.name = "nested" }.id)
                }
            }
        }
        try #require(failures.count == 1)
        #expect(failures[0].lostWrites == 1)
        #expect(failures[0].lostChanges.map(\.entity) == ["company"])
        #expect(failures[0].lostChanges.first?.ids(of: Company.self)?.inserted == kept.entries)
        #expect(failures[0].lostChanges.first?.isComplete == true)
    }

    @Test func `writes that wait for their commit get the error, and are not described`()
        async throws
    {
        let failures = Log<BackgroundFailure>()
        let merged = Log<Company.ID>()
        var configuration = Configuration.patient
        configuration.errorHandler = { failures.note($0) }
        try await withFailingStore(configuration: configuration) { dal, control in
            let refused = Log<Task<Void, any Error>>()
            try await dal.write { try Company.create(in: $0) { $0.name = "committed" } }
            control.refuseCommits(true)
            try await dal.whileAWriteIsUnderWay {
                for level in [Acknowledgement.merged, .durable, .merged, .committed] {
                    refused.note(
                        Task {
                            try await dal.write(acknowledging: level) { context in
                                let company = try Company.create(in: context) {
                                    $0.name = "\(merged.entries.count) \(level)"
                                }
                                if level == .merged { merged.note(company.id) }
                            }
                        })
                    await dal.waitForWriters(refused.entries.count)
                }
            }
            for (number, task) in refused.entries.enumerated() {
                if number.isMultiple(of: 2) {
                    try await task.value
                } else {
                    let error = await #expect(throws: StoreError.self) { try await task.value }
                    #expect(error?.code == .diskFull)
                }
            }
            control.refuseCommits(false)
            await #expect(throws: StoreError.self) { try await dal.flush() }
            try await dal.flush()
        }
        #expect(failures.entries.map(\.operation) == [.commit])
        #expect(failures.entries.first?.lostWrites == 2)
        let changes = failures.entries.first?.lostChanges ?? []
        #expect(changes.map(\.count) == [2])
        #expect(changes.first?.ids(of: Company.self)?.inserted == merged.entries)
    }

    @Test func `a batch that has only committed writes is not reported`() async throws {
        let failures = Log<BackgroundFailure>()
        var configuration = Configuration()
        configuration.errorHandler = { failures.note($0) }
        try await withFailingStore(configuration: configuration) { dal, control in
            control.refuseCommits(true)
            await #expect(throws: StoreError.self) {
                try await dal.write { try Company.create(in: $0) }
            }
            control.refuseCommits(false)
        }
        #expect(failures.entries.isEmpty)
    }

    @Test func `rows beyond the limit are counted`() async throws {
        let limit = LostChanges.limit
        // In one write, which has a transaction of its own, and one by one.
        for sizes in [[limit + 5], [limit - 1, 3, 2], Array(repeating: 1, count: limit + 2)] {
            let ids = Log<Company.ID>()
            let failures = try await failures(after: { _ in }) { dal, _ in
                for size in sizes {
                    try await dal.write { context in
                        for _ in 0..<size {
                            let company = try Company.create(in: context)
                            company.name = "\(company.id)"
                            ids.note(company.id)
                        }
                    }
                }
            }
            try #require(failures.count == 1)
            #expect(failures[0].lostWrites == sizes.count)
            let changes = try #require(failures[0].lostChanges.first)
            #expect(changes.count == sizes.reduce(0, +))
            #expect(!changes.isComplete)
            let known = try #require(changes.ids(of: Company.self)?.inserted)
            #expect(known == Array(ids.entries.prefix(limit)))
            #expect(
                "\(changes)"
                    == "Company: \(limit) inserted, 0 updated, 0 deleted, not complete, \(changes.count) changes are known"
            )
        }
    }

    @Test func `as many rows as the limit are complete`() async throws {
        let failure = try await failure(after: { _ in }) { context, _ in
            for number in 0..<LostChanges.limit {
                try Company.create(in: context) { $0.name = "\(number)" }
            }
        }
        #expect(failure.lostChanges.map(\.inserted.count) == [LostChanges.limit])
        #expect(failure.lostChanges.map(\.isComplete) == [true])
    }

    @Test func `changes without objects are counted where their number is known`() async throws {
        let failure = try await failure { context in
            for rating in 0..<5 { try Note.create(in: context) { $0.rating = rating } }
            for name in ["a", "b"] { try Company.create(in: context) { $0.name = name } }
        } _: { context, _ in
            try Note.update(
                where: { $0.rating >= 2 }, set: { [$0.rating.set(to: 1)] }, in: context)
            try Company.deleteAll(where: { $0.name == "a" }, in: context)
            // No row is changed.
            try Message.deleteAll(in: context)
            try Note.create(in: context)
        }
        let changes = Dictionary(
            uniqueKeysWithValues: failure.lostChanges.map { ($0.entity, $0) })
        #expect(changes["note"]?.isComplete == false)
        #expect(changes["note"]?.count == 4)
        #expect(changes["note"]?.inserted.count == 1)
        #expect(changes["company"]?.isComplete == false)
        #expect(changes["company"]?.count == 1)
        #expect(changes["company"]?.deleted == [])
        #expect(changes["company"]?.ids(of: Company.self) == LostChanges.IDs<Company>())
        #expect(changes["message"] == nil)
    }

    @Test func `rows that a delete rule deletes are known if they are objects of the write`()
        async throws
    {
        let failure = try await failure { context in
            let note = try Note.create(in: context)
            let messages = try (0..<2).map { _ in
                try Message.create(in: context) { $0.note = note.id }.id
            }
            return (note: note.id, messages: messages)
        } _: { context, rows in
            let held = try Message.find(rows.messages[0], in: context)
            held?.text = "changed"
            try Note.find(rows.note, in: context)?.delete()
        }
        let notes = try #require(failure.lostChanges.first { $0.entity == "note" })
        #expect(notes.ids(of: Note.self)?.deleted == [1])
        #expect(notes.isComplete)
        let messages = try #require(failure.lostChanges.first { $0.entity == "message" })
        #expect(messages.ids(of: Message.self)?.deleted == [1])
        // The store alone knows the other.
        #expect(!messages.isComplete)
    }

    @Test func `raw SQL may have changed rows of every entity`() async throws {
        try await withNotes(.memory) { dal in
            let schema = dal.coordinator.store.schema
            var journal = WriteJournal(recordsMergedRows: true)
            journal.add(RecordedStep(changing: Set(schema.entities.indices)))
            let lost = try #require(journal.merged).report(schema)
            #expect(lost.map(\.entity) == schema.entities.map(\.table))
            #expect(lost.allSatisfy { !$0.isComplete && $0.count == 0 })
        }
    }

    @Test(arguments: Acknowledgement.allCases)
    func `only writes that return as merged record their rows`(
        _ level: Acknowledgement
    ) async throws {
        try await withNotes(.memory) { dal in
            try await dal.write(acknowledging: level) { context in
                try Note.create(in: context)
                // A query flushes.
                let count = try Note.count(in: context)
                #expect(count == 1)
                #expect((context.journal.merged != nil) == (level == .merged))
                let named = context.journal.merged?.report(context.schema).map(\.entity)
                #expect(named == (level == .merged ? ["note"] : nil))
            }
        }
    }

    @Test func `the default error handler logs numbers without IDs`() throws {
        let log = RecordedLog()
        var configuration = Configuration()
        configuration.logger = log.logger
        let lost = try LostChanges(
            of: Country.self, inserted: ["private"], count: 3, isComplete: false)
        configuration.errorHandler(
            BackgroundFailure(
                operation: .commit, error: CancellationError(), lostWrites: 2, lostChanges: [lost]))
        let entry = try #require(log.entries.entries.first)
        #expect(entry.metadata["skiathos.lost.writes"] == "2")
        #expect(
            entry.metadata["skiathos.lost.changes"]
                == "Country: 1 inserted, 0 updated, 0 deleted, not complete, 3 changes are known")
        #expect(!"\(entry)".contains("private"))
        configuration.errorHandler(
            BackgroundFailure(operation: .sync, error: CancellationError()))
        #expect(log.entries.entries.last?.metadata["skiathos.lost.writes"] == nil)
    }
}
