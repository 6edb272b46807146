import Skiathos
import TestSupport
import Testing

@testable import SkiathosCore

@Suite(.generousTimeLimit) struct WriteHooksTests {
    private struct Refused: Error {}

    @Test(arguments: Place.allCases)
    func `hooks change their object before it is validated and stored`(
        _ place: Place
    ) async throws {
        var hooks = Note.Hooks()
        hooks.willInsert = { note, _ in note.rating = 1 }
        hooks.willUpdate = { note, _ in note.revision += 1 }
        try await withNotes(place) { [hooks] dal in
            try await Note.$hooks.withValue(hooks) {
                let id = try await dal.write { context in
                    // Would not be valid without the hook.
                    try Note.create(in: context) { $0.rating = 99 }.id
                }
                try await dal.write { try Note.find(id, in: $0)?.title = "final" }
                // Nothing is changed, so nothing is due.
                try await dal.write { try Note.find(id, in: $0)?.title = "final" }
                let note: Note? = try await dal.read { try Note.find(id, in: $0) }
                #expect(note?.rating == 1)
                #expect(note?.revision == 1)
            }
        }
    }

    @Test(arguments: Place.allCases)
    func `hooks create, change and delete other objects, whose hooks run too`(
        _ place: Place
    ) async throws {
        let log = Log<String>()
        var hooks = Note.Hooks()
        hooks.willInsert = { note, context in
            log.note("insert \(note.title)")
            if note.title == "a" { try Note.create(in: context) { $0.title = "b" } }
            if note.title == "b" {
                try Company.create(in: context) { $0.name = "of b" }
                try Note.first(where: { $0.title == "old" }, in: context)?.delete()
                try Note.first(where: { $0.title == "changed" }, in: context)?.rating = 3
            }
        }
        hooks.willUpdate = { note, _ in log.note("update \(note.title)") }
        hooks.willDelete = { note, _ in log.note("delete \(note.title)") }
        try await withNotes(place) { [hooks] dal in
            try await dal.write { context in
                for title in ["old", "changed"] {
                    try Note.create(in: context) { $0.title = title }
                }
            }
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in try Note.create(in: context) { $0.title = "a" } }
            }
            #expect(log.entries == ["insert a", "insert b", "delete old", "update changed"])
            let titles: [String] = try await dal.read { context in
                try Note.all(orderedBy: { [$0.title.ascending] }, in: context).map(\.title)
            }
            #expect(titles == ["a", "b", "changed"])
            let companies: Int = try await dal.read { try Company.count(in: $0) }
            #expect(companies == 1)
        }
    }

    @Test func `an update hook runs again for what other hooks change, up to a fixed point`()
        async throws
    {
        let runs = Log<String>()
        var hooks = Note.Hooks()
        hooks.willUpdate = { note, context in
            runs.note(note.title)
            // Each raises the next one up to its own rating.
            for other in try Note.all(where: { $0.title > note.title }, in: context)
            where other.rating < note.rating {
                other.rating = note.rating
            }
        }
        try await withNotes { [hooks] dal in
            try await dal.write { context in
                for title in ["a", "b", "c"] { try Note.create(in: context) { $0.title = title } }
            }
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    let notes = try Note.all(orderedBy: { [$0.title.descending] }, in: context)
                    for note in notes { note.rating += note.title == "a" ? 5 : 1 }
                }
            }
            let ratings: [Int] = try await dal.read { try Note.all(in: $0).map(\.rating) }
            #expect(ratings == [5, 5, 5])
            #expect(runs.entries.filter { $0 == "a" }.count == 1)
            #expect(runs.entries.filter { $0 == "c" }.count == 2)
        }
    }

    @Test(arguments: [false, true])
    func `hooks without an end are an error`(_ isUpdate: Bool) async throws {
        var hooks = Note.Hooks()
        if isUpdate {
            hooks.willUpdate = { note, context in
                for other in try Note.all(in: context) where other.id != note.id {
                    other.revision += 1
                }
            }
        } else {
            hooks.willInsert = { _, context in try Note.create(in: context) }
        }
        try await withNotes { [hooks] dal in
            try await dal.write { context in for _ in 0..<2 { try Note.create(in: context) } }
            await Note.$hooks.withValue(hooks) {
                let error = await #expect(throws: DataAccessError.self) {
                    try await dal.write { context in
                        if isUpdate {
                            try Note.first(in: context)?.rating = 1
                        } else {
                            try Note.create(in: context)
                        }
                    }
                }
                #expect(error?.code == .endlessHooks)
                #expect(error?.message.contains("Note") == true)
            }
            let notes: [Note] = try await dal.read { try Note.all(in: $0) }
            #expect(notes.map(\.revision) == [0, 0])
            #expect(notes.map(\.rating) == [0, 0])
        }
    }

    @Test(arguments: Place.allCases)
    func `a hook that throws fails the write, and nothing of it remains`(
        _ place: Place
    ) async throws {
        var hooks = Note.Hooks()
        hooks.willDelete = { note, context in
            try Company.create(in: context) { $0.name = "of a hook" }
            throw Refused()
        }
        try await withNotes(place) { [hooks] dal in
            let id = try await dal.write { try Note.create(in: $0).id }
            await Note.$hooks.withValue(hooks) {
                await #expect(throws: Refused.self) {
                    try await dal.write { context in
                        try User.create(in: context)
                        try Note.find(id, in: context)?.delete()
                    }
                }
            }
            let counts: [Int] = try await dal.read { context in
                [
                    try Note.count(in: context), try User.count(in: context),
                    try Company.count(in: context),
                ]
            }
            #expect(counts == [1, 0, 0])
        }
    }

    @Test func `an upsert in hooks finds what is pending`() async throws {
        var hooks = Note.Hooks()
        hooks.willInsert = { note, context in
            try Company.upsert(Company(name: "shared"), by: \.name, in: context)
        }
        try await withNotes { [hooks] dal in
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    for _ in 0..<3 { try Note.create(in: context) }
                }
            }
            let count: Int = try await dal.read { try Company.count(in: $0) }
            #expect(count == 1)
        }
    }

    @Test func `a call that needs the pending changes in the store is refused in a hook`()
        async throws
    {
        let calls: [Note.Hooks.Hook] = [
            { _, context in try Company.deleteAll(in: context) },
            { _, context in try Company.update(set: { [$0.name.set(to: "")] }, in: context) },
            { _, context in try context.nested { _ in } },
        ]
        try await withNotes { dal in
            for call in calls {
                var hooks = Note.Hooks()
                hooks.willInsert = call
                await Note.$hooks.withValue(hooks) {
                    let error = await #expect(throws: DataAccessError.self) {
                        try await dal.write { try Note.create(in: $0) }
                    }
                    #expect(error?.code == .invalidRequest)
                }
            }
        }
    }

    @Test func `a hook meets no deleted object, and may undo a deletion`() async throws {
        var hooks = Note.Hooks()
        hooks.willDelete = { note, context in
            let all = try Note.all(in: context)
            #expect(!all.contains { $0 === note })
            if note.rating == 5 { try note.discardChanges() }
        }
        try await withNotes { [hooks] dal in
            try await dal.write { context in
                for rating in 4...5 { try Note.create(in: context) { $0.rating = rating } }
            }
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    for note in try Note.all(in: context) { try note.delete() }
                }
            }
            let ratings: [Int] = try await dal.read { try Note.all(in: $0).map(\.rating) }
            #expect(ratings == [5])
        }
    }

    @Test func `hooks do not run for what SQL changes by itself`() async throws {
        let runs = Log<Void>()
        try await withNotes { dal in
            try await dal.write { try Note.create(in: $0) }
            var hooks = Note.Hooks()
            hooks.willUpdate = { _, _ in runs.note(()) }
            hooks.willDelete = { _, _ in runs.note(()) }
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    try Note.update(set: { [$0.rating.set(to: 2)] }, in: context)
                    try Note.deleteAll(in: context)
                }
            }
            #expect(runs.entries.isEmpty)
        }
    }

    @Test func `each flush of a write has its hooks`() async throws {
        let log = Log<String>()
        var hooks = Note.Hooks()
        hooks.willInsert = { _, _ in log.note("insert") }
        hooks.willUpdate = { _, _ in log.note("update") }
        try await withNotes { [hooks] dal in
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    let note = try Note.create(in: context)
                    _ = try Note.count(in: context)
                    note.rating = 1
                    _ = try Note.count(in: context)
                    _ = try Note.count(in: context)
                }
            }
            #expect(log.entries == ["insert", "update"])
        }
    }

    @Test func `a write of a thousand and one objects has its hooks once each`() async throws {
        let runs = Log<Void>()
        var hooks = Note.Hooks()
        hooks.willInsert = { note, _ in runs.note(()) }
        try await withNotes { [hooks] dal in
            try await Note.$hooks.withValue(hooks) {
                try await dal.write { context in
                    for _ in 0...RootWriter.largeChange { try Note.create(in: context) }
                }
            }
            #expect(runs.entries.count == RootWriter.largeChange + 1)
        }
    }
}
