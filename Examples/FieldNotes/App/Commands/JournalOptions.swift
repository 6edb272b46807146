#if Macros
import ArgumentParser
import FieldNotesKit
import ServiceLocator
import Skiathos

/// What all commands have in common.
struct JournalOptions: ParsableArguments {
    @Option(help: "The file of the notes; it is made where there is none.")
    var store = "field-notes.sqlite"

    /// Gives a command the journal, and ends everything after it.
    func withJournal(_ body: (any Journal) async throws -> Void) async throws {
        try await Composition.run(.sqlite(store)) { locator in
            try await body(try await locator.resolve())
        }
    }
}

extension Entry {
    /// The entry as a line.
    var line: String {
        let remark = sighting.remark.isEmpty ? "" : "  (\(sighting.remark))"
        return "\(sighting.id.rawValue)  \(sighting.day)  \(site)  "
            + "\(sighting.count) × \(sighting.species)\(remark)"
    }
}
#endif
