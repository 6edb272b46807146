import Foundation

/// A bar on the terminal; where errors go to a file or pipe, nothing is drawn.
package struct ProgressBar: Sendable {
    private let total: Int
    private let isVisible = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now

    /// Begins to count the time.
    package init(total: Int) { self.total = total }

    /// Draws how many are done.
    package func show(_ done: Int) {
        guard isVisible, total > 0 else { return }
        let width = 40
        let filled = width * done / total
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        write("\r\(bar) \(done) of \(total)")
    }

    /// Ends the line of the bar and says how fast some records were imported.
    package func finish(_ count: Int) {
        guard isVisible else { return }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        write("\n\(Int(Double(count) / max(seconds, 0.000_001))) records per second\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
