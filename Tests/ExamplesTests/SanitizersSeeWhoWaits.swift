import Foundation
import Testing

/// The thread sanitizer sees neither the lock of the standard library nor the result of a continuation that
/// was resumed early; the types of `SkiathosLocks` stand in for both.
struct SanitizersSeeWhoWaits {
    private static let calls = [
        "Mutex(", "Mutex<", "withCheckedContinuation", "withCheckedThrowingContinuation",
        "withUnsafeContinuation", "withUnsafeThrowingContinuation", "CheckedContinuation<",
        "UnsafeContinuation<",
    ]

    private static func findings(in source: String) -> [Substring] {
        source.split(separator: "\n").filter { line in calls.contains { line.contains($0) } }
    }

    @Test(arguments: ["Sources", "Tests"])
    func `locks and continuations are those of SkiathosLocks`(_ directory: String) throws {
        var count = 0
        for path in try PackageDirectory.files("swift", under: directory) {
            // The types themselves, what users of the package may write, and these names.
            let isOther = ["/SkiathosLocks/", "/MisuseTests/", "SanitizersSeeWhoWaits"]
                .contains { path.contains($0) }
            if isOther { continue }
            count += 1
            let found = Self.findings(in: try PackageDirectory.text(of: path))
            #expect(
                found.isEmpty,
                "\(path) has \(found); use Lock and withContinuation of SkiathosLocks.")
        }
        #expect(count > 200)
    }

    @Test func `a continuation of the standard library is found`() {
        let source = "await withCheckedContinuation { continuation in\nlet state = Mutex(State())"
        #expect(Self.findings(in: source).count == 2)
    }
}
