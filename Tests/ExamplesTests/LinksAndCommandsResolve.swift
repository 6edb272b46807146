import Foundation
import Testing

struct LinksAndCommandsResolve {
    @Test(arguments: try PackageDirectory.files("md"))
    func `every relative link leads to a file and a heading`(_ path: String) throws {
        let directory = URL(fileURLWithPath: path, relativeTo: PackageDirectory.url)
            .deletingLastPathComponent()
        for line in try Document(path).prose {
            for link in line.matches(of: /\]\(([^)]*)\)/).map({ String($0.1) })
            where !link.contains("://") {
                let parts = link.split(
                    separator: "#", maxSplits: 1, omittingEmptySubsequences: false
                ).map(String.init)
                let target = parts[0].isEmpty ? path : directory.appending(path: parts[0]).path
                let file = URL(fileURLWithPath: target, relativeTo: PackageDirectory.url)
                #expect(FileManager.default.fileExists(atPath: file.path), "\(link)")
                guard parts.count == 2 else { continue }
                let text = try String(contentsOf: file, encoding: .utf8)
                let anchors = Document(target, text: text).headings.map(Self.anchor)
                #expect(anchors.contains(parts[1]), "\(link)")
            }
        }
    }

    @Test(arguments: try catalogues())
    func `every page and symbol that an article names exists`(_ catalogue: String) throws {
        let declared = try Self.declaredNames.get()
        let articles = try PackageDirectory.files("md", under: catalogue)
        let tutorials = try PackageDirectory.files("tutorial", under: catalogue)
        #expect(!articles.isEmpty)
        let pages = Dictionary(grouping: articles + tutorials, by: Self.page)
        for line in try (articles + tutorials).flatMap({ try Document($0).prose }) {
            for link in line.matches(of: /<doc:(\w+)(?:#([^>]+))?>|"doc:(\w+)"/) {
                let page = String(link.1 ?? link.3 ?? "")
                let file = try #require(pages[page]?.first, "\(page)")
                guard let heading = link.2 else { continue }
                let headings = try Document(file).headings.map { $0.replacing(" ", with: "-") }
                #expect(headings.contains(String(heading)), "\(page)#\(heading)")
            }
            for symbol in line.matches(of: /``(\w+)[^`]*``/).map(\.1)
            where !catalogue.contains("/\(symbol).docc") {
                let isModule = try !PackageDirectory.files("swift", under: "Sources/\(symbol)")
                    .isEmpty
                #expect(isModule || declared.contains(symbol), "\(symbol)")
            }
        }
    }

    /// What links call the page of a file.
    private static func page(_ path: String) -> String {
        URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    }

    /// The folders of articles, one for each product that has any.
    private static func catalogues() throws -> [String] {
        let folders = try PackageDirectory.files("md", under: "Sources").compactMap { path in
            path.range(of: ".docc/").map { String(path[..<$0.lowerBound]) + ".docc" }
        }
        return Set(folders).sorted()
    }

    /// The names of what the sources declare as public, in one pass: there are thousands.
    private static let declaredNames = Result {
        let kinds: Set<Substring> = [
            "macro", "struct", "class", "enum", "protocol", "actor", "typealias", "func", "var",
            "let",
        ]
        var names: Set<Substring> = []
        for path in try PackageDirectory.files("swift", under: "Sources") {
            for line in try PackageDirectory.text(of: path).split(separator: "\n") {
                guard let access = line.firstRange(of: "public ") else { continue }
                let words = line[access.lowerBound...]
                    .split { !($0.isLetter || $0.isNumber || $0 == "_") }
                guard let kind = words.firstIndex(where: kinds.contains), kind + 1 < words.count
                else { continue }
                names.insert(words[kind + 1])
            }
        }
        return names
    }

    @Test(arguments: try PackageDirectory.files("md"))
    func `every command of a document exists`(_ path: String) throws {
        let document = try Document(path)
        let makefile = try PackageDirectory.text(of: "Makefile")
        let commands =
            document.codeSpans + document.blocks.filter { $0.language == "sh" }.map(\.text)
        for command in commands {
            for target in command.matches(of: /(?m)^make (\w+)/).map(\.1) {
                #expect(makefile.contains("\n\(target):"), "\(target)")
            }
            let runs = command.matches(
                of: /(?m)^swift run (?:--enable-all-traits |--traits [\w,]+ )?(\w+)/)
            for product in runs.map({ String($0.1) }) {
                let file = BuildDirectory.executable(product).path
                #expect(FileManager.default.isExecutableFile(atPath: file), "\(product)")
            }
        }
    }

    /// The anchor that a heading gets.
    private static func anchor(_ heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            .replacing(" ", with: "-")
    }
}
