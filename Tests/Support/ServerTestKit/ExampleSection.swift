package import Foundation

/// The section of an example on the page of all examples.
package struct ExampleSection {
    /// A fenced block.
    package struct Block {
        package let language: Substring
        package let lines: [Substring]
    }

    package let text: String
    package let blocks: [Block]

    /// Where the page lies.
    package static let directory = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }.appendingPathComponent("Examples")

    /// Reads the section; one that is missing has no blocks.
    package init(of name: String) throws {
        let page = try String(
            contentsOf: Self.directory.appendingPathComponent("README.md"), encoding: .utf8)
        text =
            page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(name)\n") } ?? ""
        blocks = text.matches(of: /```(\w+)\n([^`]*)\n```/).map {
            Block(
                language: $0.1,
                lines: $0.2.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }
}
