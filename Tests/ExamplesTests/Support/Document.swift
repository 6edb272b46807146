import Foundation

/// A document in Markdown, as far as tests need to understand it.
struct Document {
    /// A fenced block.
    struct Block {
        /// The word behind the opening fence.
        let language: String
        let text: String
        /// The number of the line after the opening fence.
        let line: Int
        /// The heading above it.
        let heading: String
    }

    /// A table.
    struct Table {
        /// The headings that it stands below, the outermost first.
        let headings: [String]
        /// The title of the first column, without backticks.
        let title: String
        /// The first cell of each row, without backticks.
        var names: [String] = []
    }

    /// The path, which begins at the package.
    let path: String
    /// The blocks in their order.
    private(set) var blocks: [Block] = []
    /// The headings in their order, without their marks.
    private(set) var headings: [String] = []
    /// The lines outside of blocks.
    private(set) var prose: [String] = []

    init(_ path: String) throws { self.init(path, text: try PackageDirectory.text(of: path)) }

    init(_ path: String, text: String) {
        self.path = path
        var open: (language: String, lines: [String], line: Int)?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.map(String.init).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(
                        Block(
                            language: block.language, text: block.lines.joined(separator: "\n"),
                            line: block.line, heading: headings.last ?? ""))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [], index + 2)
                }
            } else if open != nil {
                open?.lines.append(line)
            } else {
                if let heading = line.firstMatch(of: /^#+ (.+)$/) {
                    headings.append(String(heading.1))
                }
                prose.append(line)
            }
        }
    }

    /// The blocks below a heading and above the next.
    func blocks(under heading: String) -> [Block] { blocks.filter { $0.heading == heading } }

    /// The blocks that are manifests of packages.
    var manifests: [String] {
        blocks.map(\.text).filter { $0.hasPrefix("// swift-tools-version:") }
    }

    /// The tables in their order.
    var tables: [Table] {
        var tables: [Table] = []
        var headings: [(level: Int, title: String)] = []
        var isInTable = false
        for line in prose {
            if let match = line.firstMatch(of: /^(#+) (.+)$/) {
                headings.removeAll { $0.level >= match.1.count }
                headings.append((match.1.count, String(match.2)))
            }
            guard line.hasPrefix("|") else {
                isInTable = false
                continue
            }
            let cell = line.split(separator: "|").first.map {
                $0.trimmingCharacters(in: [" ", "`"])
            }
            if !isInTable {
                tables.append(Table(headings: headings.map(\.title), title: cell ?? ""))
                isInTable = true
            } else if line.contains(/[^|\-: ]/) {
                tables[tables.count - 1].names.append(cell ?? "")
            }
        }
        return tables
    }

    /// What stands between single backticks in the prose.
    var codeSpans: [String] { prose.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } } }
}
