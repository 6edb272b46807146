import Foundation
import Skiathos

/// Makes random operands and conditions.
///
/// The results of arithmetic stay far from the limits of integers: what happens there is an error
/// of the store and a trap in Swift.
struct QueryGenerator {
    var values: SpecimenGenerator

    init(seed: UInt64) { values = SpecimenGenerator(seed: seed) }

    mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &values.random)
    }

    mutating func intColumn() -> Operand<Int> { column("number", { $0.number }, \.number) }

    mutating func optionalInt(_ depth: Int) -> Operand<Int?> {
        switch number(below: depth > 0 ? 8 : 2) {
        case 7: return optionalField()
        case 0, 1: return column("optionalNumber", { $0.optionalNumber }, \.optionalNumber)
        case 2:
            return Operand("parent.number", { $0.parent.number }, { $0.parent(of: $1)?.number })
        case 3:
            return Operand(
                "parent.optionalNumber", { $0.parent.optionalNumber },
                { $0.parent(of: $1)?.optionalNumber })
        case 4:
            return Operand(
                "optionalText.length", { $0.optionalText.length }, { $1.optionalText?.count })
        case 5:
            let (left, right) = (int(depth - 1), int(depth - 1))
            return Operand("(\(left.text) / \(right.text))", { left.native($0) / right.native($0) })
            {
                let divisor = right.model($0, $1)
                return divisor == 0 ? nil : left.model($0, $1) / divisor
            }
        default:
            let (test, operand) = (test(depth - 1), int(0))
            return Operand(
                "children{\(test.text)}.max(\(operand.text))",
                { $0.children.filter(test.native).max { operand.native($0) } }
            ) { model, row in
                model.children(of: row).filter { test.model(model, $0) }
                    .map { operand.model(model, $0) }.max()
            }
        }
    }

    mutating func int(_ depth: Int) -> Operand<Int> {
        guard depth > 0 else { return intColumn() }
        switch number(below: 10) {
        case 9:
            return Operand("detail.number", { $0.detail[\.number] }, { $1.detail.number })
        case 0: return intColumn()
        case 1: return arithmetic(depth)
        case 2: return division(depth)
        case 3:
            let text = text(depth - 1)
            return Operand(
                "\(text.text).length", { text.native($0).length }, { text.model($0, $1).count },
                text.part.map { part in { Parts.length(part($0)) } })
        case 4: return datePart()
        case 5: return related(depth)
        case 6:
            let (left, right) = (optionalInt(depth - 1), int(depth - 1))
            return Operand(
                "(\(left.text) ?? \(right.text))", { left.native($0) ?? right.native($0) },
                { left.model($0, $1) ?? right.model($0, $1) },
                combined(left.part, right.part) { Parts.coalesce($0, $1) })
        default:
            let (first, second) = (int(depth - 1), int(depth - 1))
            return choice(depth, first, second)
        }
    }

    private mutating func arithmetic(_ depth: Int) -> Operand<Int> {
        let (left, right) = (intColumn(), int(depth - 1))
        let part = { (op: PredicateExpressions.ArithmeticOperator) in
            combined(left.part, right.part) { Parts.arithmetic($0, op, $1) }
        }
        return switch number(below: 3) {
        case 0:
            Operand(
                "(\(left.text) + \(right.text))", { left.native($0) + right.native($0) },
                { left.model($0, $1) + right.model($0, $1) }, part(.add))
        case 1:
            Operand(
                "(\(left.text) - \(right.text))", { left.native($0) - right.native($0) },
                { left.model($0, $1) - right.model($0, $1) }, part(.subtract))
        default:
            Operand(
                "(\(left.text) * \(right.text))", { left.native($0) * right.native($0) },
                { left.model($0, $1) * right.model($0, $1) }, part(.multiply))
        }
    }

    private mutating func division(_ depth: Int) -> Operand<Int> {
        let (left, divisor) = (int(depth - 1), values.pick([-7, -2, -1, 1, 3, 10]))
        return values.bool()
            ? Operand(
                "(\(left.text) / \(divisor))", { left.native($0) / divisor },
                { left.model($0, $1) / divisor },
                left.part.map { part in { divided(part($0), by: divisor) } })
            : Operand(
                "(\(left.text) % \(divisor))", { left.native($0) % divisor },
                { left.model($0, $1) % divisor },
                left.part.map { part in { remainder(part($0), by: divisor) } })
    }

    private mutating func datePart() -> Operand<Int> {
        return switch number(below: 7) {
        case 0: Operand("year", { $0.date.year }, { gregorian(.year, $1.date) })
        case 1: Operand("month", { $0.date.month }, { gregorian(.month, $1.date) })
        case 2: Operand("day", { $0.date.day }, { gregorian(.day, $1.date) })
        case 3: Operand("weekday", { $0.date.weekday }, { gregorian(.weekday, $1.date) })
        case 4: Operand("hour", { $0.date.hour }, { gregorian(.hour, $1.date) })
        case 5: Operand("minute", { $0.date.minute }, { gregorian(.minute, $1.date) })
        default: Operand("second", { $0.date.second }, { gregorian(.second, $1.date) })
        }
    }

    private mutating func related(_ depth: Int) -> Operand<Int> {
        let test = test(depth - 1)
        func rows(_ model: SpecimenModel, _ row: Specimen) -> [Specimen] {
            model.children(of: row).filter { test.model(model, $0) }
        }
        switch number(below: 4) {
        case 3:
            let operand = optionalInt(0)
            return Operand(
                "(children{\(test.text)}.min(\(operand.text)) ?? 0)",
                { ($0.children.filter(test.native).min { operand.native($0) ?? 9 }) ?? 0 }
            ) { model, row in
                rows(model, row).map { operand.model(model, $0) ?? 9 }.min() ?? 0
            }
        case 0:
            return Operand(
                "children{\(test.text)}.count", { $0.children.filter(test.native).count },
                { rows($0, $1).count })
        case 1:
            let operand = int(0)
            return Operand(
                "children{\(test.text)}.sum(\(operand.text))",
                { $0.children.filter(test.native).sum { operand.native($0) } }
            ) { model, row in
                rows(model, row).reduce(0) { $0 + operand.model(model, $1) }
            }
        default:
            return Operand("parent.children.count", { $0.parent.children.count }) { model, row in
                model.parent(of: row).map { model.children(of: $0).count } ?? 0
            }
        }
    }

    mutating func choice<Value>(
        _ depth: Int, _ first: Operand<Value>, _ second: Operand<Value>
    ) -> Operand<Value> {
        let test = test(depth - 1)
        return Operand(
            "(\(test.text) ? \(first.text) : \(second.text))",
            { test.native($0).then(first.native($0), else: second.native($0)) },
            { test.model($0, $1) ? first.model($0, $1) : second.model($0, $1) },
            combined(combined(first.part, second.part) { ($0, $1) }, test.part) {
                Parts.choose($1, $0.0, $0.1)
            })
    }
}

private func divided(
    _ part: Parts.Part<Int>, by divisor: Int
) -> Parts.Part<Int> {
    func make(_ part: some StandardPredicateExpression<Int>) -> Parts.Part<Int> {
        PredicateExpressions.build_Division(
            lhs: part, rhs: PredicateExpressions.build_Arg(divisor))
    }
    return make(part)
}

private func remainder(_ part: Parts.Part<Int>, by divisor: Int) -> Parts.Part<Int> {
    func make(_ part: some StandardPredicateExpression<Int>) -> Parts.Part<Int> {
        PredicateExpressions.build_Remainder(
            lhs: part, rhs: PredicateExpressions.build_Arg(divisor))
    }
    return make(part)
}

private let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
}()

func gregorian(_ part: Calendar.Component, _ date: Date) -> Int {
    calendar.component(part, from: date)
}
