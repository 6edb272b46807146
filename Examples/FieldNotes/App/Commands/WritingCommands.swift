#if Macros
import ArgumentParser
import FieldNotesKit
import Foundation

struct AddSite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "site", abstract: "Adds a site.")

    @OptionGroup var options: JournalOptions
    @Argument(help: "The name of the site.") var name: String

    func run() async throws {
        try await options.withJournal { print("added: \(try await $0.addSite(name).name)") }
    }
}

struct Record: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes down what was seen.")

    @OptionGroup var options: JournalOptions
    @Argument(help: "The name of the site.") var site: String
    @Argument(help: "What was seen.") var species: String
    @Option(help: "How many.") var count = 1
    @Option(help: "The day, as 2026-05-01; today without one.") var day: String?
    @Option(help: "What else there is to say.") var remark = ""

    func run() async throws {
        let draft = SightingDraft(
            site: site, species: species, count: count, day: day, remark: remark)
        try await options.withJournal { print(try await $0.record(draft).line) }
    }
}

struct TakeIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes in a file of lines 'site; species; count; day; remark'.")

    @OptionGroup var options: JournalOptions
    @Argument(help: "The file.") var file: String

    func run() async throws {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        try await options.withJournal { journal in
            let outcome = try await journal.takeIn(lines)
            print("\(outcome.sightings) taken in, \(outcome.leftOut.count) left out")
            for line in outcome.leftOut { print("line \(line.number): it \(line.reason)") }
        }
    }
}
#endif
