import Foundation
import Skiathos

extension QueryGenerator {
    /// One of several values.
    mutating func listed(_ depth: Int) -> Test {
        switch number(below: 4) {
        case 0:
            let values = [values.int(), values.int(), values.int()]
            return listed(int(depth), values)
        case 1: return listed(text(depth), [values.text(), values.text()])
        case 2:
            let values = [values.int(), nil, values.optional { $0.int() }]
            return listed(optionalInt(depth), values)
        default: return listed(decimal(depth), [values.decimal(), values.decimal()])
        }
    }

    private func listed<V: CellValue & Codable & Equatable>(
        _ left: Operand<V>, _ values: [V]
    ) -> Test {
        let cells = Set(values.map(\.cell))
        return Test(
            "\(left.text) in \(cells)", { left.native($0).in(values) },
            { cells.contains(left.model($0, $1).cell) },
            left.part.map { part in { Parts.isAmong(part($0), values) } })
    }

    /// A value in a range.
    mutating func ranged(_ depth: Int) -> Test {
        switch number(below: 4) {
        case 0: return ranged(int(depth), values.int(), values.int())
        case 1: return ranged(text(depth), values.text(), values.text())
        case 2: return ranged(decimal(depth), values.decimal(), values.decimal())
        default:
            return ranged(column("date", { $0.date }, \.date), values.date(), values.date())
        }
    }

    private mutating func ranged<V: CellValue & Comparable>(
        _ left: Operand<V>, _ first: V, _ second: V
    ) -> Test {
        let (lower, upper) = first < second ? (first, second) : (second, first)
        let (low, high) = (lower.cell, upper.cell)
        func isBelow(_ model: SpecimenModel, _ row: Specimen, _ cell: Cell) -> Bool {
            left.model(model, row).cell.precedes(cell)
        }
        func isAbove(_ model: SpecimenModel, _ row: Specimen, _ cell: Cell) -> Bool {
            cell.precedes(left.model(model, row).cell)
        }
        let text = "\(left.text) from \(low) to \(high)"
        return switch number(below: 5) {
        case 0:
            Test("\(text) half", { left.native($0).in(lower..<upper) }) {
                !isBelow($0, $1, low) && isBelow($0, $1, high)
            }
        case 1:
            Test("\(text) closed", { left.native($0).in(lower...upper) }) {
                !isBelow($0, $1, low) && !isAbove($0, $1, high)
            }
        case 2: Test("\(text) from", { left.native($0).in(lower...) }) { !isBelow($0, $1, low) }
        case 3: Test("\(text) up to", { left.native($0).in(..<upper) }) { isBelow($0, $1, high) }
        default:
            Test("\(text) through", { left.native($0).in(...upper) }) { !isAbove($0, $1, high) }
        }
    }

    /// A comparison with a column of the row that a reference may lead to.
    mutating func throughParent() -> Test {
        switch number(below: 6) {
        case 0:
            return compared("price", { $0.parent.price }, values.decimal()) { $0?.price }
        case 1: return compared("date", { $0.parent.date }, values.date()) { $0?.date }
        case 2: return compared("text", { $0.parent.text }, values.text()) { $0?.text }
        case 3:
            return compared("optionalText", { $0.parent.optionalText }, values.text()) {
                $0?.optionalText
            }
        case 4:
            return compared("parent.number", { $0.parent.parent.number }, values.int()) { _ in nil }
        default:
            return compared("optionalKey", { $0.parent.optionalKey }, values.uuid()) {
                $0?.optionalKey
            }
        }
    }

    private mutating func compared<V: CellValue & Comparable>(
        _ text: String, _ column: @escaping (Specimen.Columns) -> RelatedColumn<Specimen, V?>,
        _ value: V,
        _ parent: @escaping (Specimen?) -> V?
    ) -> Test {
        let isFurther = text == "parent.number"
        func found(_ model: SpecimenModel, _ row: Specimen) -> Cell {
            let next = model.parent(of: row)
            guard isFurther else { return parent(next).cell }
            return next.flatMap { model.parent(of: $0) }.map(\.number).cell
        }
        let (cell, text) = (value.cell, "parent.\(text)")
        return switch number(below: 6) {
        case 0: Test("\(text) == \(cell)", { column($0) == value }) { found($0, $1) == cell }
        case 1: Test("\(text) != \(cell)", { column($0) != value }) { found($0, $1) != cell }
        case 2:
            Test("\(text) <= \(cell)", { column($0) <= value }) {
                found($0, $1) != .none && !cell.precedes(found($0, $1))
            }
        case 3: Test("\(text) > \(cell)", { column($0) > value }) { cell.precedes(found($0, $1)) }
        case 4: Test("\(text) == nil", { column($0) == nil }) { found($0, $1) == .none }
        default:
            Test("\(text) in \(cell), nil", { column($0).in([value, nil]) }) {
                [cell, .none].contains(found($0, $1))
            }
        }
    }

    /// What is computed from dates.
    mutating func dates() -> Test {
        let (date, seconds) = (values.date(), values.pick([-86_400, -0.5, 0.25, 3600]))
        switch number(below: 3) {
        case 0:
            return Test(
                "date + \(seconds) < \(date.cell)", { $0.date.adding(seconds) < date }
            ) { $1.date.addingTimeInterval(seconds) < date }
        case 1:
            return Test(
                "optionalDate.year == 1980", { $0.optionalDate.year.in(1900...2050) }
            ) { $1.optionalDate.map { (1900...2050).contains(year(of: $0)) } ?? false }
        default:
            return Test(
                "seconds since \(seconds)",
                { $0.date.adding(seconds).timeIntervalSince($0.date) > 0 }
            ) { _, row in row.date.addingTimeInterval(seconds) > row.date }
        }
    }
}

private func year(of date: Date) -> Int { gregorian(.year, date) }
