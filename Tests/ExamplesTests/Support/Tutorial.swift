import Foundation

/// A tutorial of the catalogue `Skiathos.docc`, as far as tests need to understand it.
struct Tutorial {
    /// A step that shows a file.
    struct Step: CustomStringConvertible {
        /// The tutorial, its section, and the number of the step among those of the section.
        let place: String
        /// What the file is called in the package of the reader, with its path; or the terminal.
        let name: String
        /// The file in the catalogue.
        let file: String
        /// The file that the step says to differ from.
        let previousFile: String?

        /// Whether the file shows commands and what they print.
        var isTerminal: Bool { file.hasSuffix(".txt") }

        var description: String { "\(place): \(name) (\(file))" }
    }

    static let catalogue = "Sources/Skiathos/Skiathos.docc"
    /// Where the files of the steps lie.
    static let files = "\(catalogue)/Resources/Shelf"
    private static let contents = "\(catalogue)/Tutorials/ShelfTutorials.tutorial"

    let name: String
    /// The steps that show a file, in their order.
    let steps: [Step]
    /// How many steps there are, with those that show no file.
    let stepCount: Int
    /// The pictures that it shows.
    let images: [String]

    init(_ name: String) throws {
        self.name = name
        let text = try PackageDirectory.text(of: "\(Self.catalogue)/Tutorials/\(name).tutorial")
        images = Self.images(in: text)
        var steps: [Step] = []
        var (stepCount, section, number) = (0, "", 0)
        for line in text.split(separator: "\n") {
            if let match = line.firstMatch(of: /@Section\(title: "([^"]+)"\)/) {
                (section, number) = (String(match.1), 0)
            } else if line.contains("@Step {") {
                number += 1
                stepCount += 1
            } else if let match = line.firstMatch(
                of: /@Code\(name: "([^"]+)", file: "([^"]+)"(?:, previousFile: "([^"]+)")?\)/)
            {
                steps.append(
                    Step(
                        place: "\(name), \(section), step \(number)", name: String(match.1),
                        file: String(match.2), previousFile: match.3.map(String.init)))
            }
        }
        self.steps = steps
        self.stepCount = stepCount
    }

    /// The names of all tutorials, in the order of the table of contents.
    static func names() throws -> [String] {
        try PackageDirectory.text(of: contents)
            .matches(of: /@TutorialReference\(tutorial: "doc:(\w+)"\)/).map { String($0.1) }
    }

    /// The pictures of the table of contents.
    static func imagesOfContents() throws -> [String] {
        images(in: try PackageDirectory.text(of: contents))
    }

    private static func images(in text: String) -> [String] {
        text.matches(of: /@Image\(source: "([^"]+)", alt: "[^"]+"\)/).map { String($0.1) }
    }

    /// The text of a file of a step.
    static func text(of file: String) throws -> String {
        try PackageDirectory.text(of: "\(files)/\(file)")
    }
}

/// What a terminal shows: commands behind a `$`, each followed by what it prints.
struct Transcript {
    struct Command {
        let line: String
        /// What it prints; `…` stands for any text.
        let output: String

        /// Whether a program has printed that.
        func prints(_ text: String) -> Bool {
            let text = text.trimmingCharacters(in: .newlines)
            let parts = output.components(separatedBy: "…")
            guard parts.count > 1 else { return text == output }
            guard text.hasPrefix(parts[0]) else { return false }
            var rest = text.dropFirst(parts[0].count)
            for part in parts[1...] where !part.isEmpty {
                guard let range = rest.range(of: part) else { return false }
                rest = rest[range.upperBound...]
            }
            // What stands behind the last `…` ends the text.
            return parts.last?.isEmpty == true || rest.isEmpty
        }
    }

    let commands: [Command]

    init(_ text: String) {
        var commands: [(line: String, output: [String])] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("$ ") {
                commands.append((String(line.dropFirst(2)), []))
            } else if !commands.isEmpty {
                commands[commands.count - 1].output.append(line)
            }
        }
        self.commands = commands.map {
            Command(
                line: $0.line,
                output: $0.output.joined(separator: "\n").trimmingCharacters(in: .newlines))
        }
    }
}
