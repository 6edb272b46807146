import Skiathos
import SkiathosStore
import TestSupport
import Testing

/// A condition and an expression that grow by random steps around each other, with what plain Swift makes of
/// them for each peg.
private struct Growing {
    var condition: Condition<Peg> = Peg.columns.number > 3
    var holds = (0..<Peg.count).map { $0 > 3 }
    var expression: ColumnExpression<Peg, Int> = Peg.columns.digit + 0
    var values = (0..<Peg.count).map { $0 % 5 }
    /// The steps that may be taken; those of one run are few, so that it goes deep in each.
    let steps: [Int]

    init(_ generator: inout SeededNumbers) {
        let all = Array(0..<13)
        steps = Array(all.shuffled(using: &generator).prefix(.random(in: 1...8, using: &generator)))
    }

    mutating func grow(_ generator: inout SeededNumbers) {
        let (condition, expression, holds, values) = (condition, expression, holds, values)
        let peg = Peg.columns
        let numbers = Array(0..<Peg.count)
        switch steps.randomElement(using: &generator) ?? 0 {
        case 0: (self.condition, self.holds) = (!condition, holds.map { !$0 })
        case 1:
            self.condition = condition || peg.digit == 2
            self.holds = numbers.map { holds[$0] || $0 % 5 == 2 }
        case 2:
            self.condition = peg.digit == 2 && condition
            self.holds = numbers.map { holds[$0] && $0 % 5 == 2 }
        case 3: (self.expression, self.values) = (expression + 1, values.map { $0 + 1 })
        case 4: (self.expression, self.values) = (1 - expression, values.map { 1 - $0 })
        case 5:
            self.expression = condition.then(expression, else: peg.number + 1)
            self.values = numbers.map { holds[$0] ? values[$0] : $0 + 1 }
        case 6: (self.condition, self.holds) = (expression > 2, values.map { $0 > 2 })
        case 7:
            self.condition = peg.children.exists { _ in condition }
            self.holds = numbers.map { $0 + 1 < Peg.count && holds[$0] }
        case 8:
            self.condition = peg.parent.matches { _ in condition }
            self.holds = numbers.map { $0 > 0 && holds[$0] }
        case 9: self.condition = peg.id.in(Peg.where { _ in condition }.select { $0.id })
        case 10:
            let first = Peg.where { _ in condition }.limit(3)
            let all = first.union(Peg.where { _ in condition && peg.number < 9 })
            self.condition = peg.id.in(all.select { $0.id })
            let chosen = numbers.filter { holds[$0] }
            self.holds = numbers.map { chosen.prefix(3).contains($0) || holds[$0] && $0 < 9 }
        case 11:
            self.expression = peg.children.sum { _ in expression }
            self.values = numbers.map { $0 + 1 < Peg.count ? values[$0] : 0 }
        default: (self.expression, self.values) = (expression.magnitude, values.map { abs($0) })
        }
    }

    /// The problem; `nil` if nothing is.
    ///
    /// - Throws: what the queries throw.
    func problem(in dal: DataAccessLayer) throws -> String? {
        let (condition, expression) = (condition, expression)
        let found = try dal.read { context in
            try Peg.where { _ in condition }.select { ($0.number, expression) }.all(in: context)
        }
        let expected = (0..<Peg.count).filter { holds[$0] }.map { ($0, values[$0]) }
        return "\(found)" == "\(expected)" ? nil : "\(found) instead of \(expected)"
    }
}

@Suite(.generousTimeLimit) struct MixedDepthTests {
    @Test(arguments: Seed.each(1, 2, 3))
    func `random parts around each other mean what they mean in Swift, or are refused`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            try Peg.withStore { dal in
                let (problem, depths) = onWorkerStack { Self.run(seed, dal) }
                #expect(problem == nil)
                // Many become too deep, and few do at once.
                #expect(depths.filter { $0 > 10 }.count > depths.count / 4)
            }
        }
    }

    /// The first problem, and how many steps could be taken in each round.
    private static func run(_ seed: UInt64, _ dal: DataAccessLayer) -> (String?, [Int]) {
        var generator = SeededNumbers(seed: seed)
        var depths: [Int] = []
        for _ in 0..<Rounds.of(25) {
            var growing = Growing(&generator)
            var depth = 0
            do {
                while depth < 120 {
                    if let problem = try growing.problem(in: dal) { return (problem, depths) }
                    growing.grow(&generator)
                    depth += 1
                }
            } catch let error as StoreError where error.code == .tooComplex {
            } catch {
                return ("\(error)", depths)
            }
            depths.append(depth)
        }
        return (nil, depths)
    }
}
