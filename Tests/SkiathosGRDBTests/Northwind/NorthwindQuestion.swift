#if Macros
import Foundation
import Skiathos
import Testing

/// A question of a course in SQL, once in SQL and once in Swift.
struct NorthwindQuestion: Sendable, CustomTestStringConvertible {
    /// One value of an answer.
    ///
    /// Numbers of SQL are floating point numbers where those of Swift are decimal; amounts have four digits after
    /// the point, so that none lies between two texts.
    enum Cell: Sendable, CustomStringConvertible {
        case none
        case number(Double)
        case text(String)

        init(_ value: Any) {
            switch value {
            case let text as String: self = .text(text)
            case let number as Int: self = .number(Double(number))
            case let number as Double: self = .number(number)
            case let number as Decimal: self = .number(NSDecimalNumber(decimal: number).doubleValue)
            case let isTrue as Bool: self = .number(isTrue ? 1 : 0)
            case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
            default: self = .none
            }
        }

        var description: String {
            switch self {
            case .none: "-"
            case .number(let number): String(format: "%.4f", number + 0)
            case .text(let text): text
            }
        }
    }

    /// Takes down a question; the order of the rows is a part of the answer unless it is said not to be.
    struct Taker {
        fileprivate var all: [NorthwindQuestion] = []

        mutating func callAsFunction(
            _ name: String, _ sql: String, isOrdered: Bool = true,
            _ answer: @escaping @Sendable (ReadContext) throws -> [[Any?]]
        ) {
            all.append(
                NorthwindQuestion(name: name, sql: sql, isOrdered: isOrdered) { context in
                    try answer(context).map { $0.map { $0.map(Cell.init) ?? .none } }
                })
        }
    }

    let name: String
    let sql: String
    /// Whether the order of the rows is a part of the answer.
    let isOrdered: Bool
    let answer: @Sendable (ReadContext) throws -> [[Cell]]

    /// The values of a row.
    static func row(_ values: Any?...) -> [Any?] { values }

    /// The questions that a closure asks, each an expression of its own for the compiler.
    static func list(_ ask: (inout Taker) -> Void) -> [NorthwindQuestion] {
        var taker = Taker()
        ask(&taker)
        return taker.all
    }

    var testDescription: String { name }
}
#endif
