#if Macros
import FieldNotesKit
import PersistenceService
import PersistenceServiceTesting
import ServiceLocator
import Skiathos
import Testing

struct JournalsKeepWhatMakesSense {
    @Test func `a sighting without a day is of today`() async throws {
        let fixture = try JournalFixture()
        let entry = try await fixture.withJournal {
            try await $0.record(SightingDraft(site: "Marsh", species: "Teal"))
        }
        #expect(entry.sighting.day == "2026-06-30")
        #expect(entry.site == "Marsh")
        #expect(fixture.fake.calls.map(\.description) == ["fetch Site", "create Sighting"])
    }

    @Test func `an impossible sighting is refused and nothing is stored`() async throws {
        let fixture = try JournalFixture()
        try await fixture.withJournal { journal in
            let drafts = [
                SightingDraft(site: "Marsh", species: ""),
                SightingDraft(site: "Marsh", species: "Teal", count: 0),
                SightingDraft(site: "Marsh", species: "Teal", day: "yesterday"),
            ]
            for draft in drafts {
                let error = await #expect(throws: JournalError.self) {
                    try await journal.record(draft)
                }
                guard case .invalidDraft = error else {
                    Issue.record("\(String(describing: error)) is about something else.")
                    continue
                }
            }
            await #expect(throws: JournalError.unknownSite("Moor")) {
                try await journal.record(SightingDraft(site: "Moor", species: "Teal"))
            }
            await #expect(throws: JournalError.siteExists("Marsh")) {
                try await journal.addSite("Marsh")
            }
            await #expect(throws: JournalError.unknownEntry(9)) {
                try await journal.edit(Sighting.ID(rawValue: 9))
            }
            let entries = try await journal.entries(at: nil)
            #expect(entries.count == 1)
        }
    }

    @Test func `bad lines are left out with their reasons, the others are taken in`() async throws {
        let fixture = try JournalFixture()
        try await fixture.withJournal { journal in
            let outcome = try await journal.takeIn([
                "Marsh; Teal; 3; 2026-05-02; asleep", "Moor; Owl", "Marsh; Owl; many", "Marsh",
                "Marsh;Owl",
            ])
            #expect(outcome.sightings == 2)
            #expect(outcome.leftOut.map(\.number) == [2, 3, 4])
            let entries = try await journal.entries(at: "Marsh")
            #expect(entries.map(\.sighting.species) == ["Heron", "Teal", "Owl"])
            #expect(entries.map(\.sighting.remark) == ["", "asleep", ""])
            let totals = try await journal.totals()
            #expect(totals.map(\.count) == [3, 2, 1])
        }
    }

    @Test func `a failure of the store reaches the caller`() async throws {
        let fixture = try JournalFixture()
        fixture.fake.failNext(.create, with: StoreError(.inputOutput, "The disk is gone."))
        try await fixture.withJournal { journal in
            let draft = SightingDraft(site: "Marsh", species: "Teal")
            let error = await #expect(throws: StoreError.self) { try await journal.record(draft) }
            #expect(error?.code == .inputOutput)
            _ = try await journal.record(draft)
            let entries = try await journal.entries(at: nil)
            #expect(entries.count == 2)
        }
    }

    @Test func `all services can be made, and nothing of a test is left`() async throws {
        let fixture = try JournalFixture()
        try await fixture.locator.verify(keepingServices: false)
        let entries = try await fixture.withJournal { try await $0.entries(at: nil) }
        #expect(entries.count == 1)
        // Outside of the override there is the real one, over an empty store.
        let journal: any Journal = try await fixture.locator.resolve()
        let real = try await journal.entries(at: nil)
        #expect(real == [])
        try await fixture.locator.close()
    }
}
#endif
