#if Macros
/// The answer to a question.
struct Table: Sendable {
    let columns: [String]
    let rows: [[Cell]]

    init(_ columns: String..., rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }

    init(columns: [String], rows: [[Cell]]) {
        self.columns = columns
        self.rows = rows
    }
}

extension Table {
    /// The longest text that a line shows.
    private static let longestText = 60

    /// Lines of aligned columns, numbers at the right.
    var aligned: [String] {
        guard !rows.isEmpty else { return ["none"] }
        let texts = rows.map { $0.map { Self.shortened($0.text) } }
        let widths = columns.indices.map { column in
            max(columns[column].count, texts.map { $0[column].count }.max() ?? 0)
        }
        let isRight = columns.indices.map { column in
            rows.allSatisfy { $0[column].isNumber }
        }
        func line(_ cells: [String]) -> String {
            let padded = cells.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - cells[column].count)
                return isRight[column] ? space + cells[column] : cells[column] + space
            }
            return String(padded.joined(separator: "  ").trimmingSuffix(while: \.isWhitespace))
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        return [line(columns), rule] + texts.map(line)
    }

    /// Lines whose values are parted by tabs, as spreadsheets read them.
    var tabbed: [String] {
        ([columns] + rows.map { $0.map(\.text) }).map { line in
            line.map { $0.replacing(/[\t\r\n]/, with: " ") }.joined(separator: "\t")
        }
    }

    private static func shortened(_ text: String) -> String {
        text.count > longestText ? text.prefix(longestText - 1) + "…" : text
    }
}

extension String {
    fileprivate func trimmingSuffix(while isUnwanted: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isUnwanted(last) { rest.removeLast() }
        return rest
    }
}
#endif
