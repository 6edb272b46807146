/// Cells in rows and columns, which can be shown in several ways.
package struct TextTable: Sendable {
    package enum Row: Sendable {
        case heading(String)
        case cells([String])
    }

    package let columns: [String]
    /// How many columns from the left hold text, which begins at the left; numbers end at the right.
    package let textColumns: Int
    package var rows: [Row] = []

    package init(columns: [String], textColumns: Int) {
        self.columns = columns
        self.textColumns = textColumns
    }

    package mutating func add(_ cells: [String]) { rows.append(.cells(cells)) }
    package mutating func add(heading: String) { rows.append(.heading(heading)) }

    /// For the terminal: columns as wide as they must be.
    package var aligned: String {
        var all = [columns]
        for case .cells(let cells) in rows { all.append(cells) }
        let widths = columns.indices.map { column in
            all.map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            var text = ""
            for (column, cell) in cells.enumerated() {
                let gap = String(repeating: " ", count: widths[column] - cell.count)
                text += (column == 0 ? "" : "  ") + (column < textColumns ? cell + gap : gap + cell)
            }
            return text.trimmingEnd()
        }
        var lines = [line(columns)]
        for row in rows {
            switch row {
            case .heading(let text): lines += ["", text]
            case .cells(let cells): lines.append(line(cells))
            }
        }
        return lines.joined(separator: "\n")
    }

    /// As Markdown, with a table of its own below each heading.
    package var markdown: String {
        let head = ["| \(columns.joined(separator: " | ")) |", "|\(rule)|"]
        var lines: [String] = []
        if case .heading = rows.first {} else { lines += head }
        for row in rows {
            switch row {
            case .heading(let text):
                if !lines.isEmpty { lines.append("") }
                lines += ["## \(text)", ""] + head
            case .cells(let cells): lines.append("| \(cells.joined(separator: " | ")) |")
            }
        }
        return lines.joined(separator: "\n")
    }

    private var rule: String {
        columns.indices.map { $0 < textColumns ? "---" : "---:" }.joined(separator: "|")
    }
}

extension String {
    fileprivate func trimmingEnd() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
