/// Two kinds of access that tasks make side by side, and the kind of store that they use.
package struct AccessPair: Sendable, CustomStringConvertible {
    /// Where a store is kept.
    package enum Place: String, CaseIterable, Sendable { case file, memory }

    let first: AccessKind
    let second: AccessKind
    let place: Place

    package var description: String {
        "\(first.rawValue) beside \(second.rawValue), \(place.rawValue)"
    }

    /// All pairs, a kind with itself included.
    package static let all: [AccessPair] = Place.allCases.flatMap { place in
        AccessKind.allCases.enumerated().flatMap { index, first in
            AccessKind.allCases[index...].map {
                AccessPair(first: first, second: $0, place: place)
            }
        }
    }
}
