/// A small generator that gives the same numbers for the same seed (Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators", 2014).
package struct SplitMix: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next number.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension SplitMix {
    /// A number below a limit.
    ///
    /// The remainder's bias is of no account for small limits, and costs one call.
    package mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() >> 33) % limit
    }

    /// Whether something happens that does so in some of a hundred cases.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }
}
