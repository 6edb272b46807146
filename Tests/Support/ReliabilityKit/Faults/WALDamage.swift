import TestTools

/// What may happen to the WAL of a store that was not closed.
package enum WALDamage: String, Sendable, CaseIterable {
    case none, garbageBehind
    case flippedBit, zeroedRange, randomBytes, cut, swappedFrames, damagedHeader, removed

    /// Whether nothing of it can be lost.
    package var isHarmless: Bool { self == .none || self == .garbageBehind }

    /// Damages the bytes of a WAL; `nil` if it is removed.
    func apply(to bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8]? {
        var bytes = bytes
        let frame = 4_096 + 24
        switch self {
        case .none: break
        case .garbageBehind:
            for _ in 0..<random.below(10_000) {
                bytes.append(UInt8(truncatingIfNeeded: random.next()))
            }
        case .flippedBit: bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        case .zeroedRange:
            let start = random.below(bytes.count)
            let end = min(bytes.count, start + 1 + random.below(5_000))
            bytes.replaceSubrange(start..<end, with: repeatElement(0, count: end - start))
        case .randomBytes:
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        case .cut: bytes.removeLast(1 + random.below(bytes.count))
        case .swappedFrames:
            let count = (bytes.count - 32) / frame
            guard count >= 2 else { return bytes }
            let first = random.below(count - 1)
            for offset in 0..<frame {
                bytes.swapAt(32 + first * frame + offset, 32 + (first + 1) * frame + offset)
            }
        case .damagedHeader: bytes[random.below(32)] ^= 1 << UInt8(random.below(8))
        case .removed: return nil
        }
        return bytes
    }
}
