/// How many rounds a test of random input has.
package enum Rounds {
    /// The rounds of a test that a single thread runs: with the thread sanitizer, which finds nothing
    /// there and makes each ten times as slow, a tenth of them.
    package static func onOneThread(_ count: Int) -> Int {
        #if THREAD_SANITIZER
        max(1, count / 10)
        #else
        count
        #endif
    }
}
