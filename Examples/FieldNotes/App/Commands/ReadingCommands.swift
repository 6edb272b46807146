#if Macros
import ArgumentParser
import FieldNotesKit
import ServiceLocator
import Skiathos

struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the entries by day.")

    @OptionGroup var options: JournalOptions
    @Argument(help: "The site; all without one.") var site: String?

    func run() async throws {
        try await options.withJournal { journal in
            for entry in try await journal.entries(at: site) { print(entry.line) }
        }
    }
}

struct Totals: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says how many of each species were seen.")

    @OptionGroup var options: JournalOptions

    func run() async throws {
        try await options.withJournal { journal in
            for total in try await journal.totals() { print("\(total.count) × \(total.species)") }
        }
    }
}

struct Graph: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks that all services can be made, and draws them as a Mermaid diagram.")

    func run() async throws {
        try await Composition.run(.inMemory) { locator in
            try await locator.verify()
            print(locator.graph().mermaid)
        }
    }
}
#endif
