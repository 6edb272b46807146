#if Macros
import FieldNotesKit
import PersistenceService
import Skiathos
import Testing

struct EditorsSaveOrDiscard {
    private let heron = Sighting.ID(rawValue: 1)

    @Test func `changes are seen in the editor alone until they are saved`() async throws {
        try await JournalFixture().withJournal { journal in
            let editor = try await journal.edit(heron)
            try await editor.recount(to: 5)
            try await editor.remark("flying")
            #expect(try await editor.preview().sighting.count == 5)
            #expect(try await editor.preview().site == "Marsh")
            #expect(try await editor.totals().map(\.count) == [5])
            #expect(try await journal.totals().map(\.count) == [2])
            try await editor.save()
            let saved = try await journal.entries(at: "Marsh")
            #expect(saved.map(\.sighting.count) == [5])
            #expect(saved.map(\.sighting.remark) == ["flying"])
        }
    }

    @Test func `a discarded change leaves nothing`() async throws {
        try await JournalFixture().withJournal { journal in
            let before = try await journal.entries(at: nil)
            let editor = try await journal.edit(heron)
            try await editor.rename(to: "Egret")
            try await editor.discard()
            #expect(try await editor.preview() == before.first)
            #expect(try await journal.entries(at: nil) == before)
        }
    }

    @Test func `steps are undone and redone by their names`() async throws {
        try await JournalFixture().withJournal { journal in
            let editor = try await journal.edit(heron)
            try await editor.rename(to: "Egret")
            try await editor.recount(to: 7)
            #expect(editor.steps == ["rename", "recount"])
            #expect(try await editor.undo())
            #expect(try await editor.preview().sighting.count == 2)
            #expect(try await editor.undo())
            #expect(try await editor.preview().sighting.species == "Heron")
            let undone = try await editor.undo()
            #expect(!undone)
            #expect(try await editor.redo())
            try await editor.save()
            #expect(try await journal.entries(at: nil).map(\.sighting.species) == ["Egret"])
        }
    }

    @Test func `two editors agree unless both change the same`() async throws {
        try await JournalFixture().withJournal { journal in
            let first = try await journal.edit(heron)
            let second = try await journal.edit(heron)
            try await first.recount(to: 5)
            try await second.remark("flying")
            try await first.save()
            try await second.save()
            let both = try await journal.entries(at: nil)
            #expect(both.map(\.sighting.count) == [5])
            #expect(both.map(\.sighting.remark) == ["flying"])

            try await first.recount(to: 6)
            try await second.recount(to: 7)
            try await first.save()
            let error = await #expect(throws: PersistenceServiceError.self) {
                try await second.save()
            }
            #expect(error?.code == .conflict)
            #expect(error?.conflicts.map(\.column) == ["count"])
            #expect(error?.conflicts.map(\.theirs) == [.integer(6)])
            #expect(error?.conflicts.map(\.mine) == [.integer(7)])
            try await second.save(merging: .mine)
            #expect(try await journal.entries(at: nil).map(\.sighting.count) == [7])
        }
    }
}
#endif
