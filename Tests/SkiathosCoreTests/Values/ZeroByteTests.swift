import TestSupport
import Testing

@testable import SkiathosStore

@Suite struct ZeroByteTests {
    @Test func `the search for a zero byte finds what a look at each byte finds`() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededNumbers(seed: seed)
        // Values at which a borrow or a high bit could mislead the test of a word.
        let values: [UInt8] = [1, 2, 0x7F, 0x80, 0x81, 0xFF]
        for round in 0..<20_000 {
            let count = Int.random(in: 0..<40, using: &random)
            let offset = Int.random(in: 0..<9, using: &random)
            var bytes = (0..<offset + count + 8).map { _ in
                values.randomElement(using: &random) ?? 1
            }
            for _ in 0..<Int.random(in: 0..<3, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = 0
            }
            let expected = bytes[offset..<offset + count].contains(0)
            let found = bytes.withUnsafeBufferPointer { all in
                UnsafeBufferPointer(rebasing: all[offset..<offset + count]).containsZero
            }
            #expect(
                found == expected,
                "seed \(seed), round \(round): \(bytes), \(count) bytes from \(offset)")
            if found != expected { return }
        }
    }

    @Test func `each byte of a text of any length is looked at`() {
        for count in 0..<33 {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(!bytes.withUnsafeBufferPointer(\.containsZero), "\(count) bytes")
            for position in 0..<count {
                var changed = bytes
                changed[position] = 0
                #expect(
                    changed.withUnsafeBufferPointer(\.containsZero),
                    "byte \(position) of \(count)")
            }
        }
        #expect(!UnsafeBufferPointer<UInt8>(start: nil, count: 0).containsZero)
    }
}
