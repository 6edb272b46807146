#if Macros
import ArgumentParser
import ExampleSupport
import Foundation
import Skiathos

/// Imports the data of a music shop and answers its owner's questions.
@main
struct MusicShop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "MusicShop",
        abstract: "Imports the data of a music shop and answers questions about it.",
        discussion: """
            Without names or numbers of questions, all of them are answered. Importing again \
            changes nothing.
            """)

    @Argument(help: "Names or numbers of questions, which --list shows.")
    var questions: [String] = []

    @Option(help: "The file of the store; without one, a temporary one.")
    var store: String?

    @Option(help: "The file to import; without one, that of the example.")
    var data: String?

    @Flag(help: "List the questions.")
    var list = false

    @Flag(help: "Say how many statements and rows each answer took, and how many were allowed.")
    var costs = false

    @Flag(help: "Print nothing but answers, with tabs between the values.")
    var tabs = false

    func validate() throws {
        for text in questions where Question.find(text) == nil {
            throw ValidationError("There is no question \(text). List them with --list.")
        }
    }

    func run() async throws {
        if list { return printList() }
        let file = try ShopFile.read(data ?? ShopFile.bundled)
        let place = try StorePlace(path: store)
        let dal = try await DataAccessLayer.openShop(at: place.path)
        let bar = ProgressBar(total: file.count)
        let report = try await ShopImporter.run(file, on: dal) { bar.show($0) }
        bar.finish(file.count)
        if !tabs {
            print(
                "\(report.inserted) inserted, \(report.changed) changed, \(report.unchanged) unchanged"
            )
        }
        for question in questions.isEmpty ? Question.all : questions.compactMap(Question.find) {
            try await answer(question, from: dal)
        }
        try await dal.close()
        withExtendedLifetime(place) {}
    }

    private func answer(_ question: Question, from dal: DataAccessLayer) async throws {
        let (table, use) = try await question.answer(from: dal)
        print(tabs ? "# \(question.name)" : "\n\(question.title)\n")
        for line in tabs ? table.tabbed : table.aligned { print(line) }
        if costs {
            print(
                tabs ? "" : "\n", use.statements, " of ", question.statements, " statements, ",
                use.rows, " rows", separator: "")
        }
    }

    private func printList() {
        for (index, question) in Question.all.enumerated() {
            let number = index < 9 ? " \(index + 1)" : "\(index + 1)"
            print("\(number)  \(question.name): \(question.title)")
        }
    }
}
#else
@main
struct MusicShop {
    static func main() {
        print("MusicShop uses @Entity, so it needs the trait Macros, which is on by default.")
    }
}
#endif
