/// Random numbers that a seed decides (SplitMix64).
///
/// See G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// A number below a limit.
    ///
    /// The remainder's bias is of no account for small limits, and costs one call.
    package mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 33) % limit
    }

    /// Whether something happens that does so in some of a hundred cases.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }
}
