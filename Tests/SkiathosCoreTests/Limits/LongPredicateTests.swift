import Foundation
import Skiathos
import SkiathosStore
import TestSupport
import Testing

/// Predicates of Foundation that were put together in a loop.
@Suite(.generousTimeLimit) struct LongPredicateTests {
    private typealias Part = any StandardPredicateExpression<Bool>

    private enum Shape: CaseIterable, CustomTestStringConvertible {
        case left
        case right
        case tree
        case not
        var testDescription: String { "\(self)" }
    }

    private static func joined(
        _ left: some StandardPredicateExpression<Bool>,
        _ right: some StandardPredicateExpression<Bool>
    ) -> Part { PredicateExpressions.build_Disjunction(lhs: left, rhs: right) }

    private static func negated(_ part: some StandardPredicateExpression<Bool>) -> Part {
        PredicateExpressions.build_Negation(part)
    }

    /// The pegs with the first numbers, or whether the number is not the first one as often.
    private static func predicate(_ shape: Shape, _ length: Int) -> Predicate<Peg> {
        Predicate<Peg> { peg in
            func isNumber(_ number: Int) -> Part {
                PredicateExpressions.build_Equal(
                    lhs: PredicateExpressions.build_KeyPath(root: peg, keyPath: \Peg.number),
                    rhs: PredicateExpressions.build_Arg(number))
            }
            func tree(_ numbers: Range<Int>) -> Part {
                guard numbers.count > 1 else { return isNumber(numbers.lowerBound) }
                let middle = numbers.lowerBound + numbers.count / 2
                let left = tree(numbers.lowerBound..<middle)
                let right = tree(middle..<numbers.upperBound)
                return joined(left, right)
            }
            if shape == .tree { return tree(0..<length) }
            var part = isNumber(0)
            for number in 1..<length {
                let other = isNumber(number)
                part =
                    switch shape {
                    case .left: joined(part, other)
                    case .right, .tree: joined(other, part)
                    case .not: negated(part)
                    }
            }
            return part
        }
    }

    // Beyond that, making and freeing such a value takes more stack than a thread has.
    @Test(arguments: Shape.allCases, [2, 3, 10, 40, 80, 90, 91, 100, 200, 400])
    private func `a predicate of any length works or is refused`(
        _ shape: Shape, _ length: Int
    ) throws {
        try Peg.withStore { dal in
            let found = onWorkerStack {
                let predicate = Self.predicate(shape, length)
                do {
                    return try dal.read { "\(try Peg.where(predicate).count(in: $0))" }
                } catch let error as StoreError {
                    return error.code.rawValue
                } catch {
                    return "\(error)"
                }
            }
            switch shape {
            case .left, .right, .tree: #expect(found == "\(min(length, Peg.count))")
            case .not:
                let count = length % 2 == 1 ? 1 : Peg.count - 1
                #expect(found == (length < 85 ? "\(count)" : "tooComplex"))
            }
        }
    }
}
