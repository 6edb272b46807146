/// A figure that Skiathos is meant to reach.
package struct Target: Sendable, Equatable {
    package let limit: Double
    /// Whether the figure may be no smaller, instead of no larger.
    package let isMinimum: Bool

    package static func atMost(_ limit: Double) -> Target { Target(limit: limit, isMinimum: false) }
    package static func atLeast(_ limit: Double) -> Target { Target(limit: limit, isMinimum: true) }

    package func isMet(by value: Double) -> Bool { isMinimum ? value >= limit : value <= limit }

    /// The target and whether it was met, such as `≤ 1.05 met`.
    package func verdict(on value: Double?, _ format: (Double) -> String = Format.ratio) -> String {
        let text = "\(isMinimum ? "≥" : "≤") \(format(limit))"
        guard let value else { return text }
        return "\(text) \(isMet(by: value) ? "met" : "MISSED")"
    }
}

/// Every target, in one place.
package enum Targets {
    /// Ratios to raw C, by the ID of the workload; of throughput where one is a minimum.
    package static let ratios: [String: Target] = [
        "R1": .atMost(1.05), "R1w": .atMost(1.15), "R1wh": .atMost(0.75),
        "R2": .atMost(0.75), "R2b": .atMost(0.35), "R2bw": .atMost(0.04), "R2a/R2b": .atMost(1.2),
        "R3": .atMost(1.15), "R4": .atMost(1.15), "R4b": .atMost(1.03),
        "R5": .atMost(1.03), "R5b": .atMost(1.15), "R6": .atMost(1.5), "R6l": .atMost(1.3),
        "W1": .atMost(0.7), "W2": .atMost(0.85), "W2a": .atMost(1), "W2m": .atMost(0.15),
        "W2d": .atMost(1.03), "W3t": .atMost(0.55), "W3td": .atMost(0.25),
        "W3t64": .atMost(0.22), "W3td64": .atMost(0.06),
        "W4": .atMost(1.05), "W4h": .atMost(0.7), "D1": .atMost(1.05), "D2": .atMost(0.95),
        "M1 writes": .atLeast(1), "M1 reads": .atLeast(3),
    ]

    /// Instructions per unit, by the name of the unit.
    package static let instructions: [String: Target] = [
        "decode": .atMost(4_200), "objects": .atMost(4_900),
        "read": .atMost(11_300), "read-warm": .atMost(900),
        "query": .atMost(8_500), "related": .atMost(5_600),
        "insert": .atMost(16_500), "insert-alone": .atMost(50_000),
        "change": .atMost(12_500), "delete": .atMost(15_300),
    ]

    /// Instructions per unit more than raw C takes for its own, by the name of the unit.
    ///
    /// A merged write is compared with the bare insertion of a row in an open transaction.
    package static let instructionsAboveRaw: [String: Target] = ["merged": .atMost(9_000)]

    /// Bytes on the heap for one fetched value.
    package static let bytesPerValue = Target.atMost(215)
    /// Bytes on the heap for one tracked object and its place in the identity map.
    package static let bytesPerObject = Target.atMost(280)
    /// The time from the start of a process to its first value, relative to raw C.
    package static let start = Target.atMost(1.15)
}
