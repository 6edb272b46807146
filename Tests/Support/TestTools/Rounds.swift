/// How much random and exhaustive tests do.
///
/// `make test` tries as much as takes minutes, with another seed each time; `TIMES` in the environment makes
/// a run longer:
///
/// ```sh
/// TIMES=20 make test FILTER=RandomQueryTests
/// ```
///
/// A sanitizer makes everything several times as slow, so it is shown less.
package enum Rounds {
    /// Whether a sanitizer is at work.
    package static var isSanitized: Bool {
        #if THREAD_SANITIZER || ADDRESS_SANITIZER
        true
        #else
        false
        #endif
    }

    private static let times: Int = {
        let times: Int = setting("TIMES") ?? 1
        precondition(times > 0, "TIMES must be 1 or more, and is \(times).")
        return times
    }()

    /// How many rounds a test has: a tenth of them under a sanitizer, but not fewer than the least with
    /// which the test shows what it is there for.
    package static func of(_ usual: Int, least: Int = 1) -> Int {
        times * (isSanitized ? max(least, usual / 10) : usual)
    }

    /// One of how many places is tried where all of them would take too long: one of five times as many
    /// under a sanitizer.
    package static func step(_ usual: Int) -> Int {
        max(1, (isSanitized ? usual * 5 : usual) / times)
    }

    /// All cases, of which a sanitizer is shown one of five.
    package static func some<Case>(of cases: [Case]) -> [Case] {
        stride(from: 0, to: cases.count, by: step(1)).map { cases[$0] }
    }
}
