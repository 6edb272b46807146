#if Macros
import Foundation

/// A bar on the terminal; where output goes to a file or pipe, nothing is drawn.
struct ProgressBar {
    let total: Int
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ done: Int) {
        guard isVisible, total > 0 else { return }
        let width = 40
        let filled = width * done / total
        let bar =
            String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let text = "\r\(bar) \(done) of \(total)" + (done == total ? "\n" : "")
        FileHandle.standardError.write(Data(text.utf8))
    }
}
#endif
