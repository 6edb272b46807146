import Foundation
import Skiathos

/// A value in the form in which the model compares it: texts by their scalars, no value below all.
enum Cell: Hashable {
    case none
    case integer(Int)
    case real(Double)
    case decimal(Decimal)
    case bytes([UInt8])

    /// Whether one comes before the other in an ascending order.
    func precedes(_ other: Cell) -> Bool {
        switch (self, other) {
        case (.none, .none): false
        case (.none, _): true
        case (.integer(let left), .integer(let right)): left < right
        case (.real(let left), .real(let right)): left < right
        case (.decimal(let left), .decimal(let right)): left < right
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}

/// Values that columns of the specimen hold.
protocol CellValue: Sendable {
    var cell: Cell { get }
}

extension Int: CellValue { var cell: Cell { .integer(self) } }
extension Bool: CellValue { var cell: Cell { .integer(self ? 1 : 0) } }
extension Double: CellValue { var cell: Cell { .real(self) } }
extension Decimal: CellValue { var cell: Cell { .decimal(self) } }
extension String: CellValue { var cell: Cell { .bytes(Array(utf8)) } }
extension Date: CellValue { var cell: Cell { .real(timeIntervalSinceReferenceDate) } }
extension UUID: CellValue {
    var cell: Cell { .bytes(withUnsafeBytes(of: uuid) { Array($0) }) }
}
extension Specimen.Kind: CellValue { var cell: Cell { .bytes(Array(rawValue.utf8)) } }
extension EntityID: CellValue where E == Specimen {
    var cell: Cell { .integer(Int(rawValue)) }
}
extension Optional: CellValue where Wrapped: CellValue {
    var cell: Cell { map(\.cell) ?? .none }
}
