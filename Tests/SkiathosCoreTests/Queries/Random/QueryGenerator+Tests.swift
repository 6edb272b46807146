import Foundation
import Skiathos

extension QueryGenerator {
    /// A random condition, with at most so many levels of parts.
    mutating func test(_ depth: Int) -> Test {
        guard depth > 0, number(below: 3) > 0 else { return comparison(depth) }
        let (first, second) = (test(depth - 1), test(depth - 1))
        switch number(below: 8) {
        case 0, 1:
            return Test(
                "(\(first.text) && \(second.text))", { first.native($0) && second.native($0) },
                { first.model($0, $1) && second.model($0, $1) },
                combined(first.part, second.part) { Parts.both($0, $1) })
        case 2, 3:
            return Test(
                "(\(first.text) || \(second.text))", { first.native($0) || second.native($0) },
                { first.model($0, $1) || second.model($0, $1) },
                combined(first.part, second.part) { Parts.either($0, $1) })
        case 4:
            return Test(
                "!\(first.text)", { !first.native($0) }, { !first.model($0, $1) },
                first.part.map { part in { Parts.not(part($0)) } })
        case 5:
            return Test("parent{\(first.text)}", { $0.parent.matches { first.native($0) } }) {
                model, row in model.parent(of: row).map { first.model(model, $0) } ?? false
            }
        case 6:
            return Test(
                "children.exists{\(first.text)}", { $0.children.exists { first.native($0) } }
            ) { model, row in model.children(of: row).contains { first.model(model, $0) } }
        default:
            return Test(
                "children.all{\(first.text)}", { $0.children.allSatisfy { first.native($0) } }
            ) { model, row in model.children(of: row).allSatisfy { first.model(model, $0) } }
        }
    }

    private mutating func comparison(_ depth: Int) -> Test {
        switch number(below: 22) {
        case 20, 21: return fieldTest()
        case 16: return listed(depth)
        case 17: return ranged(depth)
        case 18: return throughParent()
        case 19: return dates()
        case 0:
            let (left, right) = (int(depth), values.int())
            return compared(left, right)
        case 1: return compared(text(depth), values.text())
        case 2: return compared(real(depth), values.real())
        case 3: return compared(decimal(depth), values.decimal())
        case 4: return compared(column("date", { $0.date }, \.date), values.date())
        case 5: return compared(column("key", { $0.key }, \.key), values.uuid())
        case 6: return columnsCompared(depth)
        case 7: return optionalCompared(optionalInt(depth), values.int())
        case 8:
            let prices = column("optionalPrice", { $0.optionalPrice }, \.optionalPrice)
            return optionalCompared(prices, values.decimal())
        case 9:
            let dates = column("optionalDate", { $0.optionalDate }, \.optionalDate)
            return optionalCompared(dates, values.date())
        case 10: return same(column("kind", { $0.kind }, \.kind), values.kind())
        case 11:
            let kinds = column("optionalKind", { $0.optionalKind }, \.optionalKind)
            return same(kinds, values.optional { $0.kind() })
        case 12: return flag()
        case 13: return identity()
        default: return match(depth)
        }
    }

    /// A comparison with a value.
    private mutating func compared<V: CellValue & Comparable & Codable>(
        _ left: Operand<V>, _ value: V
    ) -> Test {
        let cell = value.cell
        func below(_ model: SpecimenModel, _ row: Specimen) -> Bool {
            left.model(model, row).cell.precedes(cell)
        }
        func above(_ model: SpecimenModel, _ row: Specimen) -> Bool {
            cell.precedes(left.model(model, row).cell)
        }
        let (text, shown) = (left.text, "\(value.cell)")
        func part(
            _ op: PredicateExpressions.ComparisonOperator
        ) -> PredicatePart<Bool>? {
            left.part.map { part in { Parts.compare(part($0), op, argument(value)) } }
        }
        switch number(below: 7) {
        case 0:
            return Test("\(text) < \(shown)", { left.native($0) < value }, below, part(.lessThan))
        case 1:
            // With the constant on the left.
            return Test(
                "\(text) > \(shown)", { left.native($0) > value }, above,
                left.part.map { part in { Parts.compare(argument(value), .lessThan, part($0)) } })
        case 2:
            return Test(
                "\(text) <= \(shown)", { left.native($0) <= value }, { !above($0, $1) },
                part(.lessThanOrEqual))
        case 3:
            return Test(
                "\(text) >= \(shown)", { left.native($0) >= value }, { !below($0, $1) },
                part(.greaterThanOrEqual))
        case 4:
            let range = value...value
            return Test(
                "\(text) in \(shown)...", { left.native($0).in(range) },
                { !below($0, $1) && !above($0, $1) },
                left.part.map { part in { Parts.lies(part($0), in: range) } })
        default: return same(left, value)
        }
    }

    private mutating func optionalCompared<V: CellValue & Comparable & Codable>(
        _ left: Operand<V?>, _ value: V
    ) -> Test {
        let cell = value.cell
        let text = left.text
        switch number(below: 4) {
        case 0:
            return Test("\(text) < \(cell)", { left.native($0) < value }) {
                let found = left.model($0, $1)
                return found != nil && found.cell.precedes(cell)
            }
        case 1:
            return Test("\(text) >= \(cell)", { left.native($0) >= value }) {
                let found = left.model($0, $1)
                return found != nil && !found.cell.precedes(cell)
            }
        case 2: return same(left, nil)
        default: return same(left, value)
        }
    }

    /// The same value, another one, or one of several.
    private mutating func same<V: CellValue & Equatable & Codable>(
        _ left: Operand<V>, _ value: V
    ) -> Test {
        let cell = value.cell
        func holds(_ model: SpecimenModel, _ row: Specimen) -> Bool {
            left.model(model, row).cell == cell
        }
        switch number(below: 3) {
        case 0:
            return Test(
                "\(left.text) == \(cell)", { left.native($0) == value }, holds,
                left.part.map { part in { Parts.equal(part($0), argument(value)) } })
        case 1:
            return Test(
                "\(left.text) != \(cell)", { left.native($0) != value }, { !holds($0, $1) },
                left.part.map { part in { Parts.notEqual(part($0), argument(value)) } })
        default:
            return Test(
                "\(left.text) in [\(cell)]", { left.native($0).in([value]) }, holds,
                left.part.map { part in { Parts.isAmong(part($0), [value]) } })
        }
    }

    /// A comparison of two operands of one kind.
    private mutating func columnsCompared(_ depth: Int) -> Test {
        switch number(below: 5) {
        case 0: return pair(int(depth), int(depth))
        case 1: return pair(text(depth), text(depth))
        case 2: return pair(decimal(depth), decimal(depth))
        case 3: return pair(real(depth), real(depth))
        default:
            let (left, right) = (optionalInt(depth), optionalInt(depth))
            func equal(_ model: SpecimenModel, _ row: Specimen) -> Bool {
                left.model(model, row) == right.model(model, row)
            }
            switch number(below: 3) {
            case 0:
                return Test(
                    "\(left.text) == \(right.text)", { left.native($0) == right.native($0) }, equal,
                    combined(left.part, right.part) { Parts.equal($0, $1) })
            case 1:
                return Test(
                    "\(left.text) != \(right.text)", { left.native($0) != right.native($0) },
                    { !equal($0, $1) },
                    combined(left.part, right.part) { Parts.notEqual($0, $1) })
            default:
                return Test("\(left.text) < \(right.text)", { left.native($0) < right.native($0) })
                {
                    guard let left = left.model($0, $1), let right = right.model($0, $1)
                    else { return false }
                    return left < right
                }
            }
        }
    }

    private mutating func pair<V: CellValue & Comparable>(
        _ left: Operand<V>, _ right: Operand<V>
    ) -> Test {
        func cells(_ model: SpecimenModel, _ row: Specimen) -> (Cell, Cell) {
            (left.model(model, row).cell, right.model(model, row).cell)
        }
        switch number(below: 3) {
        case 0:
            return Test(
                "\(left.text) == \(right.text)", { left.native($0) == right.native($0) },
                { cells($0, $1).0 == cells($0, $1).1 },
                combined(left.part, right.part) { Parts.equal($0, $1) })
        case 1:
            return Test(
                "\(left.text) < \(right.text)", { left.native($0) < right.native($0) },
                { cells($0, $1).0.precedes(cells($0, $1).1) },
                combined(left.part, right.part) { Parts.compare($0, .lessThan, $1) })
        default:
            return Test(
                "\(left.text) >= \(right.text)", { left.native($0) >= right.native($0) },
                { !cells($0, $1).0.precedes(cells($0, $1).1) },
                combined(left.part, right.part) { Parts.compare($0, .greaterThanOrEqual, $1) })
        }
    }

    private mutating func flag() -> Test {
        switch number(below: 3) {
        case 0:
            return Test("flag", { $0.flag == true }, { $1.flag }, { keyPath($0, \.flag) })
        case 1:
            return Test(
                "(optionalFlag ?? true)", { ($0.optionalFlag ?? true) == true },
                { $1.optionalFlag ?? true },
                { Parts.coalesce(keyPath($0, \.optionalFlag), argument(true)) })
        default:
            let value = values.optional { $0.bool() }
            return same(column("optionalFlag", { $0.optionalFlag }, \.optionalFlag), value)
        }
    }

    private mutating func identity() -> Test {
        let id = Specimen.ID(rawValue: Int64(number(below: 40)))
        switch number(below: 5) {
        case 0: return Test("parent == nil", { $0.parent == nil }, { $1.parent == nil })
        case 1:
            return Test(
                "parent == \(id)", { $0.parent == id }, { $1.parent == id },
                { Parts.equal(keyPath($0, \.parent), argument(Specimen.ID?.some(id))) })
        case 2:
            return Test(
                "id != \(id)", { $0.id != id }, { $1.id != id },
                { Parts.notEqual(keyPath($0, \.id), argument(id)) })
        case 3:
            return Test("parent.parent == \(id)", { $0.parent.parent == id }) {
                $0.parent(of: $1)?.parent == id
            }
        default:
            return Test("children.isEmpty", { $0.children.isEmpty }) {
                $0.children(of: $1).isEmpty
            }
        }
    }

    /// A search in a text.
    private mutating func match(_ depth: Int) -> Test {
        let (left, pattern) = (text(depth), values.text())
        let shown = pattern.debugDescription
        switch number(below: 8) {
        case 0:
            return Test(
                "\(left.text).hasPrefix(\(shown))", { left.native($0).hasPrefix(pattern) },
                { left.model($0, $1).utf8.starts(with: pattern.utf8) },
                left.part.map { part in { Parts.starts(part($0), argument(pattern)) } })
        case 1:
            return Test("\(left.text).hasSuffix(\(shown))", { left.native($0).hasSuffix(pattern) })
            {
                left.model($0, $1).utf8.reversed().starts(with: pattern.utf8.reversed())
            }
        case 2, 3:
            return Test(
                "\(left.text).contains(\(shown))", { left.native($0).contains(pattern) },
                { includes(left.model($0, $1), pattern) },
                left.part.map { part in { Parts.contains(part($0), argument(pattern)) } })
        case 4:
            return Test(
                "\(left.text).caseInsensitive == \(shown)",
                { left.native($0).caseInsensitive == pattern }
            ) { left.model($0, $1).lowercased().cell == pattern.lowercased().cell }
        case 5:
            return Test(
                "\(left.text).caseInsensitive.contains(\(shown))",
                { left.native($0).caseInsensitive.contains(pattern) }
            ) { includes(left.model($0, $1).lowercased(), pattern.lowercased()) }
        case 6:
            return Test(
                "optionalText.hasPrefix(\(shown))", { $0.optionalText.hasPrefix(pattern) },
                { $1.optionalText?.utf8.starts(with: pattern.utf8) ?? false },
                { Parts.starts(optional: keyPath($0, \.optionalText), pattern) })
        default:
            return Test(
                "parent.text.contains(\(shown))", { $0.parent.text.contains(pattern) }
            ) { $0.parent(of: $1).map { includes($0.text, pattern) } ?? false }
        }
    }
}

private func includes(_ text: String, _ part: String) -> Bool {
    let (bytes, part) = (Array(text.utf8), Array(part.utf8))
    guard bytes.count >= part.count else { return false }
    return (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
}
