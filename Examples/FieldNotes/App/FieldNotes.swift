#if Macros
import ArgumentParser

/// Keeps a naturalist's notes.
@main
struct FieldNotes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "FieldNotes",
        abstract: "Keeps notes of what was seen where.",
        subcommands: [
            AddSite.self, Record.self, TakeIn.self, List.self, Totals.self, Edit.self, Graph.self,
        ])
}
#else
@main
struct FieldNotes {
    static func main() {
        print("FieldNotes uses @Entity, so it needs the trait Macros, which is on by default.")
    }
}
#endif
