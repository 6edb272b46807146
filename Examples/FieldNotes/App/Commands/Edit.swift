#if Macros
import ArgumentParser
import FieldNotesKit
import Skiathos

struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Changes an entry, shows what that comes to, and saves or discards it.")

    @OptionGroup var options: JournalOptions
    @Argument(help: "The number of the entry, which 'list' shows.") var entry: Int64
    @Option(help: "Another species.") var species: String?
    @Option(help: "Another count.") var count: Int?
    @Option(help: "Another remark.") var remark: String?
    @Flag(help: "Show it only, and discard it.") var discard = false

    func run() async throws {
        try await options.withJournal { journal in
            let editor = try await journal.edit(Sighting.ID(rawValue: entry))
            print("before: \(try await editor.preview().line)")
            if let species { try await editor.rename(to: species) }
            if let count { try await editor.recount(to: count) }
            if let remark { try await editor.remark(remark) }
            print("after:  \(try await editor.preview().line)")
            for total in try await editor.totals() {
                print("        \(total.count) × \(total.species)")
            }
            if discard {
                try await editor.discard()
                print("discarded")
            } else {
                try await editor.save()
                print("saved")
            }
        }
    }
}
#endif
