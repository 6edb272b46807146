package import Foundation

/// A value in the form in which results are compared: texts by their scalars, no value below all.
package enum Datum: Hashable, Sendable {
    case none
    case integer(Int)
    case real(Double)
    case decimal(Decimal)
    case text([UInt8])

    /// Whether one comes before the other in an ascending order.
    package func precedes(_ other: Datum) -> Bool {
        switch (self, other) {
        case (.none, .none): false
        case (.none, _): true
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.decimal(let left), .decimal(let right)): left < right
        case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}

extension Datum: CustomStringConvertible {
    package var description: String {
        switch self {
        case .none: "nil"
        case .integer(let value): "\(value)"
        case .real(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .text(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
        }
    }
}
