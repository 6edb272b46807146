import Foundation
import Skiathos

/// A date some time later or earlier.
struct LaterNode: OperandNode {
    let operand: any OperandNode<Date>
    let seconds: Double

    var description: String { "\(operand).adding(\(seconds))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Date> {
        let operand: ColumnExpression<R, Date> = operand.native(stack)
        return operand.adding(seconds)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Date {
        operand.value(world, rows).addingTimeInterval(seconds)
    }
}

/// The seconds from one date to another.
struct IntervalNode: OperandNode {
    let left: any OperandNode<Date>
    let right: any OperandNode<Date>

    var description: String { "\(left).timeIntervalSince(\(right))" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Double> {
        let left: ColumnExpression<R, Date> = left.native(stack)
        let right: ColumnExpression<R, Date> = right.native(stack)
        return left.timeIntervalSince(right)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Double {
        left.value(world, rows).timeIntervalSince(right.value(world, rows))
    }
}

/// A part of a date.
struct DatePartNode: OperandNode {
    enum Part: CaseIterable { case year, month, day, weekday, hour }

    let operand: any OperandNode<Date>
    let part: Part

    var description: String { "\(operand).\(part)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int> {
        let operand: ColumnExpression<R, Date> = operand.native(stack)
        return switch part {
        case .year: operand.year
        case .month: operand.month
        case .day: operand.day
        case .weekday: operand.weekday
        case .hour: operand.hour
        }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int { part.of(operand.value(world, rows)) }
}

/// A part of a date that may be missing.
struct OptionalDatePartNode: OperandNode {
    let operand: any OperandNode<Date?>
    let part: DatePartNode.Part

    var description: String { "\(operand).\(part)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Int?> {
        let operand: ColumnExpression<R, Date?> = operand.native(stack)
        return switch part {
        case .year: operand.year
        case .month: operand.month
        case .day: operand.day
        case .weekday: operand.weekday
        case .hour: operand.hour
        }
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Int? {
        operand.value(world, rows).map(part.of)
    }
}

extension DatePartNode.Part {
    func of(_ date: Date) -> Int {
        let component: Calendar.Component =
            switch self {
            case .year: .year
            case .month: .month
            case .day: .day
            case .weekday: .weekday
            case .hour: .hour
            }
        return Self.calendar.component(component, from: date)
    }

    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()
}
