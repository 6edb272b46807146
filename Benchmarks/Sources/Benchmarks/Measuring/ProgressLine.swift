import Foundation

/// One line on the terminal with the current work; nothing if errors are redirected.
struct ProgressLine {
    private let isVisible = isatty(STDERR_FILENO) == 1

    /// Replaces what the line says.
    func show(_ text: String) { write("\r\u{1B}[K\(text)") }

    /// Shows a progress bar and the current work.
    func show(_ done: Int, of total: Int, _ text: String) {
        let width = 30
        let filled = width * done / max(total, 1)
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        show("\(bar) \(text)")
    }

    /// Takes the line away.
    func clear() { write("\r\u{1B}[K") }

    private func write(_ text: String) {
        guard isVisible else { return }
        FileHandle.standardError.write(Data(text.utf8))
    }
}
